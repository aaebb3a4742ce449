import { expect, test } from 'vitest';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { planSpending } from '../../../suites/kit/planning/plan-spending.ts';
import { sumOf } from '../../../suites/kit/planning/spending-plan.ts';
import { sizeOf } from '../../cli/check/check-defaults.ts';
import type { Tier } from '../../cli/options/check-flags.ts';

/** What a run with one key would send of a faithful service that lists as much as can be, if no cap stopped it. */
function plan(tier: Tier, seed: number) {
  const { groups } = planSpending({
    checks: CHECKS,
    invariants: INVARIANTS,
    seed,
    ...sizeOf(tier, 'live'),
    allow: new Set(),
    kind: 'live',
    profile: {},
    keys: new Set(['primary']),
    control: false,
  });
  const { requests, completions } = sumOf(groups.map(({ ifKept }) => ifKept));
  return { requests, completions, draws: groups.map(({ name, draws }) => `${name} ${draws}`) };
}

test.each(['smoke', 'full'] as const)('plans about as much of the %s tier for every seed', (tier) => {
  const plans = Array.from({ length: 20 }, (_, seed) => plan(tier, seed));
  const { caps } = sizeOf(tier, 'live');
  for (const { requests } of plans) expect(requests).toBeLessThanOrEqual(caps.requests);
  const spread = (counts: readonly number[]): number => Math.max(...counts) - Math.min(...counts);
  expect(spread(plans.map(({ requests }) => requests))).toBeLessThanOrEqual(10);
  expect(spread(plans.map(({ completions }) => completions))).toBeLessThanOrEqual(8);
  const draws = plans.map((each) => each.draws.filter((text) => !text.startsWith('counterparts')));
  expect(new Set(draws.map((texts) => texts.join(', '))).size).toBe(1);
});
