import { expect, test } from 'vitest';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { planSpending } from '../../../suites/kit/planning/spending-plan.ts';
import { sizeOf } from '../../cli/check/check-defaults.ts';
import type { Tier } from '../../cli/options/run-table.ts';

/** What a run with one key would send if no cap stopped it. */
function plan(tier: Tier, seed: number) {
  const { caps, ...size } = sizeOf(tier, 'live');
  const { total, stages } = planSpending({
    checks: CHECKS,
    invariants: INVARIANTS,
    seed,
    ...size,
    caps: { ...caps, requests: Infinity, completions: Infinity },
    allow: new Set(),
    profile: {},
    keys: new Set(['primary']),
    control: false,
  });
  return { total, kinds: stages.map(({ kinds }) => kinds) };
}

test.each(['smoke', 'full'] as const)('plans about as much of the %s tier for every seed', (tier) => {
  const plans = Array.from({ length: 20 }, (_, seed) => plan(tier, seed));
  const { caps } = sizeOf(tier, 'live');
  for (const { total } of plans) expect(total.requests).toBeLessThanOrEqual(caps.requests);
  const spread = (counts: readonly number[]): number => Math.max(...counts) - Math.min(...counts);
  expect(spread(plans.map(({ total }) => total.requests))).toBeLessThanOrEqual(10);
  expect(spread(plans.map(({ total }) => total.completions))).toBeLessThanOrEqual(8);
  expect(new Set(plans.map(({ kinds }) => JSON.stringify(kinds))).size).toBe(1);
});
