import { expect, test } from 'vitest';
import { FAULTS } from '../faults/catalogue/fault-catalogue.ts';
import type { FaultDescription } from '../faults/catalogue/fault-parameter.ts';
import { compilePlan } from '../faults/compile-rules.ts';
import { FaultPlan } from '../faults/fault-plan.ts';
import { showRule } from './fault-operations.ts';

const LIMITS = { times: 3, ttl: 1000, probability: 0.5 };
const MATCH = { endpoint: 'chat', nth: 2, per: 'connection' };

/** What a fault can be given beside its defaults. */
const GIVEN: Readonly<Record<string, object>> = {
  rate_limit: { retry_after: 'date' },
  gateway_failure: { status: 418, retry_after: 30 },
  own_answer: { status: 201, content_type: 'text/plain', body: 'grüße', retry_after: 'absent' },
  latency: { ms: 'lognormal:200,2000' },
  slow_accept: { match: { endpoint: 'chat' } },
  wrong_header: { header: 'content-length', how: 'doubled', value: 9 },
  wrong_certificate: { how: 'untrusted' },
  idle_closed: { how: 'announced' },
};

const rules = Object.entries<FaultDescription>(FAULTS).flatMap(([fault, { phases }]) =>
  phases.flatMap((phase) => [
    { fault, phase },
    { fault, phase, match: phase === 'handshake' ? { nth: 2 } : MATCH, ...LIMITS, ...GIVEN[fault] },
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
