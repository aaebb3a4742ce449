import { expect, test } from 'vitest';
import { compilePlan } from '../faults/compile-rules.ts';
import { type FaultDescription, FAULTS } from '../faults/fault-catalogue.ts';
import { FaultPlan } from '../faults/fault-plan.ts';
import { showRule } from './fault-operations.ts';

const FULL = { match: { endpoint: 'chat', nth: 2 }, times: 3, ttl: 1000, probability: 0.5 };

const rules = Object.entries<FaultDescription>(FAULTS).flatMap(([fault, { phases }]) =>
  phases.flatMap((phase) => [
    { fault, phase },
    { fault, phase, ...FULL },
  ]),
);

test.each(rules)('shows %j so that it can be armed again', (rule) => {
  const plan = new FaultPlan(1, () => 0);
  const [armed] = plan.arm(compilePlan([rule]));
  const shown = armed === undefined ? undefined : showRule(armed);
  expect(compilePlan([JSON.parse(JSON.stringify(shown?.rule))])).toEqual([armed?.rule]);
  expect(shown).toMatchObject({
    id: 'rule_1',
    fault: rule.fault,
    phase: rule.phase,
    seen: 0,
    fired: 0,
    over: false,
  });
});
