import { expect, test } from 'vitest';
import { compilePlan } from './compile-rules.ts';
import { FaultPlan, type Subject } from './fault-plan.ts';

const CHAT: Subject = { requestId: 'r', endpoint: 'chat', key: 'primary', model: 'm', stream: false };

interface Armed {
  readonly plan: FaultPlan;
  readonly clock: { now: number };
  /** The fault of each request at the phase after validation, or null. */
  readonly trigger: (...subjects: readonly Partial<Subject>[]) => (string | null)[];
}

function arm(rules: readonly object[], seed = 1): Armed {
  const clock = { now: 0 };
  const plan = new FaultPlan(seed, () => clock.now);
  plan.arm(compilePlan(rules.map((rule) => ({ phase: 'after-validation', ...rule }))));
  const trigger = (...subjects: readonly Partial<Subject>[]): (string | null)[] =>
    subjects.map((own, index) => {
      const subject = { ...CHAT, requestId: `r${index}`, ...own };
      return plan.match('after-validation', subject)?.fault.fault ?? null;
    });
  return { plan, clock, trigger };
}

test('triggers the first rule that matches, in the order in which they were armed', () => {
  const { plan, trigger } = arm([{ fault: 'rate_limit', times: 2 }, { fault: 'token_limit' }]);
  plan.arm(compilePlan([{ fault: 'timeout', phase: 'after-validation' }]));
  expect(trigger({}, {}, {}, {})).toEqual(['rate_limit', 'rate_limit', 'token_limit', 'token_limit']);
  expect(plan.unfired().map(({ id }) => id)).toEqual(['rule_3']);
  expect(plan.rules().map(({ seen, fired, over }) => [seen, fired, over])).toEqual([
    [2, 2, true],
    [2, 2, false],
    [0, 0, false],
  ]);
});

test('lets so many through first, and counts only what it is for', () => {
  const { trigger } = arm([{ fault: 'rate_limit', match: { model: 'm' }, after: 1, times: 1 }]);
  expect(trigger({ model: 'n' }, {}, { model: 'n' }, {}, {})).toEqual([null, null, null, 'rate_limit', null]);
});

test('triggers for the nth request only', () => {
  const { trigger } = arm([{ fault: 'rate_limit', match: { nth: 2 } }]);
  expect(trigger({}, {}, {})).toEqual([null, 'rate_limit', null]);
});

test('triggers for every so many-th request, after those that pass first', () => {
  const { trigger } = arm([{ fault: 'rate_limit', match: { every: 2 }, after: 1 }]);
  const hit = 'rate_limit';
  expect(trigger({}, {}, {}, {}, {}, {})).toEqual([null, null, hit, null, hit, null]);
});

test('counts for each key, and for each connection', () => {
  const hit = 'rate_limit';
  const byKey = arm([{ fault: hit, match: { nth: 2, per: 'key' } }]).trigger;
  expect(byKey({}, { key: 'b' }, {}, {}, { key: 'b' })).toEqual([null, null, hit, null, hit]);
  const [one, other] = [{ connection: {} }, { connection: {} }];
  const byConnection = arm([{ fault: hit, match: { every: 2, per: 'connection' } }]).trigger;
  expect(byConnection(one, other, one, one, other, one)).toEqual([null, null, hit, null, hit, hit]);
});

test.each<[object, Partial<Subject>]>([
  [{ endpoint: 'models' }, { endpoint: 'models' }],
  [{ key: 'second' }, { key: 'second' }],
  [{ model: 'n' }, { model: 'n' }],
  [{ stream: true }, { stream: true }],
])('triggers for %j only', (match, subject) => {
  const { trigger } = arm([{ fault: 'timeout', match }]);
  expect(trigger({}, subject)).toEqual([null, 'timeout']);
});

test('triggers at its own phase only', () => {
  const { plan } = arm([{ fault: 'timeout' }]);
  expect(plan.match('after-debit', CHAT)).toBeUndefined();
});

test('is over once its time is over by the clock', () => {
  const { plan, clock, trigger } = arm([{ fault: 'timeout', ttl: 100 }]);
  clock.now = 99;
  expect(trigger({})).toEqual(['timeout']);
  clock.now = 100;
  expect(trigger({})).toEqual([null]);
  expect(plan.rules()[0]?.over).toBe(true);
});

test('draws for each request from the seed, independent of earlier requests', () => {
  const subjects = Array.from({ length: 400 }, (_, index) => ({ requestId: `q${index}` }));
  const rule = { fault: 'timeout', probability: 0.25 };
  const triggered = arm([rule]).trigger(...subjects);
  expect(arm([rule]).trigger(...subjects.toReversed())).toEqual(triggered.toReversed());
  expect(arm([rule], 2).trigger(...subjects)).not.toEqual(triggered);
  const count = triggered.filter((fault) => fault !== null).length;
  expect(count).toBeGreaterThan(60);
  expect(count).toBeLessThan(140);
});

test.each([
  [0, null],
  [1, 'timeout'],
])('triggers given a probability of %i: %s', (probability, fault) => {
  expect(arm([{ fault: 'timeout', probability }]).trigger({})).toEqual([fault]);
});

test('disarms one rule or all, and gives no ID twice', () => {
  const { plan, trigger } = arm([{ fault: 'timeout' }, { fault: 'rate_limit' }]);
  expect([plan.disarm('rule_1'), plan.disarm('rule_1')]).toEqual([true, false]);
  expect(trigger({})).toEqual(['rate_limit']);
  plan.clear();
  expect([plan.isEmpty, trigger({})]).toEqual([true, [null]]);
  expect(plan.arm(compilePlan([{ fault: 'timeout' }])).map(({ id }) => id)).toEqual(['rule_3']);
});
