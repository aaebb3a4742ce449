import { expect, test } from 'vitest';
import { compileMatch, type RuleWords } from './match.ts';
import { neverUsed, type Rule, RulePlan } from './rule-plan.ts';
import type { Subject } from './subject.ts';

interface Named extends RuleWords {
  readonly name: string;
}

interface NamedRule extends Rule {
  readonly words: Named;
}

function rule(words: RuleWords, index: number): NamedRule {
  const phase = 'after-validation';
  const named = { ...words, name: 'abc'.charAt(index) };
  return { words: named, phase, meets: compileMatch(words.match ?? {}) };
}

function arm(rules: readonly RuleWords[], seed = 1) {
  const clock = { now: 0 };
  const service = { seed, clock: () => clock.now, log: () => {} };
  const plan = new RulePlan<NamedRule>('rule', service);
  plan.arm(rules.map(rule));
  /** The rule that is used for each request, or null. */
  const use = (...subjects: readonly Partial<Subject>[]): (string | null)[] =>
    subjects.map((own, index) => {
      const subject: Subject = { requestId: `r${index}`, endpoint: 'chat', key: 'k', model: 'm', ...own };
      return plan.take(subject, 'after-validation')?.rule.words.name ?? null;
    });
  return { plan, clock, use };
}

test('uses the first rule that matches, in the order in which they were armed', () => {
  const { plan, use } = arm([{ times: 2 }, { match: { nth: 2 } }, {}]);
  plan.arm([rule({}, 0)]);
  expect(use({}, {}, {}, {}, {})).toEqual(['a', 'a', 'c', 'b', 'c']);
  expect(plan.unfired().map(({ id }) => id)).toEqual(['rule_4']);
  expect(plan.rules().map(({ seen, fired, over }) => [seen, fired, over])).toEqual([
    [2, 2, true],
    [3, 1, false],
    [2, 2, false],
    [0, 0, false],
  ]);
});

test('uses no rule of another phase, and none before it is known what it asks for', () => {
  const { plan, use } = arm([{ match: { model: 'm' } }]);
  expect(plan.take({ requestId: 'r' }, 'after-debit')).toBeUndefined();
  expect(use({ model: 'n' }, {})).toEqual([null, 'a']);
});

test.each([
  ['no request came', []],
  ['1 request came; none reached after-validation', [['before-authentication']]],
  ['1 request came; none matched it while it was armed, or an earlier rule was used', [['after-validation']]],
  ['1 request came; 1 matched, and none was its turn', [['after-validation']]],
] as const)('says why a rule was never used: %s', (why, requests) => {
  const { plan } = arm([{}]);
  const [armed] = plan.unfired();
  if (armed === undefined) throw new Error('none is armed');
  if (why.includes('turn')) armed.count({ requestId: 'r' }, false);
  const passed = requests.map((phases) => ({ phases }));
  expect(neverUsed(armed, passed)).toBe(`rule_1 (name=a) was never used: ${why}`);
});

test('counts nothing for an offer that is not taken', () => {
  const { plan, use } = arm([{ match: { nth: 1 } }]);
  plan.offer({ requestId: 'r' }, 'after-validation');
  expect(use({}, {})).toEqual(['a', null]);
});

test.each<[RuleWords, readonly (string | null)[]]>([
  [{ match: { nth: 2 } }, [null, 'a', null, null, null]],
  [{ match: { every: 2 } }, [null, 'a', null, 'a', null]],
  [{ match: { every: 2 }, after: 1 }, [null, null, 'a', null, 'a']],
  [{ after: 2, times: 1 }, [null, null, 'a', null, null]],
  [{ probability: 0 }, [null, null, null, null, null]],
  [{ probability: 1 }, ['a', 'a', 'a', 'a', 'a']],
])('uses %j for requests in its positions: %j', (words, used) => {
  expect(arm([words]).use({}, {}, {}, {}, {})).toEqual(used);
});

const [one, other] = [{ connection: {} }, { connection: {} }];
const [first, again] = [{ idempotencyKey: 'i' }, { idempotencyKey: 'j' }];

test.each<[RuleWords['match'], readonly Partial<Subject>[], readonly (string | null)[]]>([
  [{ nth: 2, per: 'key' }, [{}, { key: 'b' }, {}, {}, { key: 'b' }], [null, null, 'a', null, 'a']],
  [{ every: 2, per: 'connection' }, [one, other, one, one, other, one], [null, null, 'a', null, 'a', 'a']],
  [{ nth: 1, per: 'idempotency_key' }, [first, again, first, again, first], ['a', 'a', null, null, null]],
  [{ nth: 1, per: 'idempotency_key' }, [{}, {}], ['a', 'a']],
  [{ nth: 2, per: 'idempotency_key' }, [{}, first, {}, first], [null, null, null, 'a']],
])('counts the requests of each owner given %j', (match = {}, subjects, used) => {
  expect(arm([{ match }]).use(...subjects)).toEqual(used);
});

test('is over once its time is over by the clock', () => {
  const { plan, clock, use } = arm([{ ttl: 100 }]);
  clock.now = 99;
  expect(use({})).toEqual(['a']);
  clock.now = 100;
  expect(use({})).toEqual([null]);
  expect(plan.rules()[0]?.over).toBe(true);
});

test('draws for each request from the seed, independent of earlier requests', () => {
  const subjects = Array.from({ length: 400 }, (_, index) => ({ requestId: `q${index}` }));
  const words = { probability: 0.25 };
  const used = arm([words]).use(...subjects);
  expect(arm([words]).use(...subjects.toReversed())).toEqual(used.toReversed());
  expect(arm([words], 2).use(...subjects)).not.toEqual(used);
  const count = used.filter((name) => name !== null).length;
  expect(count).toBeGreaterThan(60);
  expect(count).toBeLessThan(140);
});

test('disarms one rule or all, and gives no ID twice', () => {
  const { plan, use } = arm([{}, {}]);
  expect([plan.disarm('rule_1'), plan.disarm('rule_1')]).toEqual([true, false]);
  expect(use({})).toEqual(['b']);
  plan.clear();
  expect([plan.rules(), use({})]).toEqual([[], [null]]);
  expect(plan.arm([rule({}, 0)]).map(({ id }) => id)).toEqual(['rule_3']);
});
