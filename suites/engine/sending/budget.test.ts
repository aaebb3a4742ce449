import { expect, test } from 'vitest';
import type { Outcome } from '../model/exchange.ts';
import type { Caps } from '../model/run.ts';
import { answered } from '../test-support/exchange.ts';
import { Budget, isCharged } from './budget.ts';

const outcomeOf = (status: number): Outcome => answered({ status }).outcome;

const REFUSED = answered({ status: 400 });
const COMPLETED = answered();
const MOST_REQUESTS = 'the cap of 3 requests';
const MOST_COMPLETIONS = 'the cap of 1 completion';

const budgetOf = (caps: Partial<Caps> = {}, withholds?: 'completions') =>
  new Budget({ requests: 3, completions: 1, outputTokens: 16, ...caps }, withholds);

test('has a place for so many requests, and says which cap was reached', async () => {
  const budget = budgetOf();
  const reasons = [];
  for (let i = 0; i < 4; i += 1) reasons.push(await budget.take(false));
  expect(reasons).toEqual([undefined, undefined, undefined, `${MOST_REQUESTS} was reached`]);
  expect(budget.over).toBe(reasons[3]);
});

test('holds back a request that might complete until it is known whether the last place was taken', async () => {
  const budget = budgetOf();
  await budget.take(true);
  const second = budget.take(true);
  budget.settle(REFUSED);
  expect(await second).toBeUndefined();
  const third = budget.take(true);
  budget.settle(COMPLETED);
  expect(await third).toBe(`${MOST_COMPLETIONS} was reached`);
});

test.each([
  [MOST_COMPLETIONS, {}, true],
  ['the cap of 1 request', { requests: 1 }, false],
])(
  'drops a request that does not wait given %s, and does not cut the run short',
  async (cap, caps, chargeable) => {
    const budget = budgetOf(caps);
    await budget.take(true);
    expect(await budget.take(chargeable, 'give-up')).toBe(`no room was left under ${cap}`);
    expect(budget.over).toBeUndefined();
  },
);

test('says what took the place where no completion is allowed', async () => {
  const budget = budgetOf({}, 'completions');
  await budget.take(true);
  budget.settle(COMPLETED);
  expect(await budget.take(true)).toContain('a chat that must be refused was accepted');
});

test('gives a free place to one of several waiting requests, and lets the others wait', async () => {
  const budget = budgetOf({ requests: 99, completions: 2 });
  await budget.take(true);
  await budget.take(true);
  const waiting = Array.from({ length: 5 }, async () => {
    const reason = await budget.take(true);
    budget.settle(REFUSED);
    return reason;
  });
  budget.settle(REFUSED);
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 5 }, () => undefined));
  expect(budget.over).toBeUndefined();
});

test.each<[isCharged: boolean, outcome: Outcome, armed?: 'refusal']>([
  [true, outcomeOf(200)],
  [true, outcomeOf(500)],
  [true, { kind: 'uncertain', reason: 'lost' }],
  [false, outcomeOf(400)],
  [false, { kind: 'not-sent', reason: 'capped' }],
  [false, outcomeOf(500), 'refusal'],
])('counts a completion: %j, given %j', (expected, outcome, armed) => {
  const exchange = { ...answered({}, {}), outcome, ...(armed && { armed }) };
  expect(isCharged(exchange)).toBe(expected);
});
