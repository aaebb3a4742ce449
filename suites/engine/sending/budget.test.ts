import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { Budget, chargeOf } from './budget.ts';

const caps = { requests: 3, completions: 1, outputTokens: 16 };

test('admits requests up to their cap and says which cap was reached', async () => {
  const budget = new Budget(caps);
  const admissions = [];
  for (let i = 0; i < 4; i += 1) admissions.push(await budget.admit(false));
  expect(admissions.map((a) => a.kind)).toEqual(['admitted', 'admitted', 'admitted', 'over']);
  expect(budget.over).toBe('the cap of 3 requests was reached');
});

test('holds back a request that might complete until it is known whether the last place was taken', async () => {
  const budget = new Budget(caps);
  await budget.admit(true);
  const second = budget.admit(true);
  budget.settle({ completed: false, outputTokens: 0 });
  expect(await second).toEqual({ kind: 'admitted' });
  const third = budget.admit(true);
  budget.settle({ completed: true, outputTokens: 5 });
  expect(await third).toEqual({ kind: 'over', reason: 'the cap of 1 completion was reached' });
  expect(budget.outputTokens).toBe(5);
});

test('gives up a request that does not wait when every place is taken, and does not cut the run short', async () => {
  const budget = new Budget(caps);
  await budget.admit(true);
  expect(await budget.admit(true, 'give-up')).toEqual({
    kind: 'over',
    reason: 'no room was left under the cap of 1 completion',
  });
  budget.settle({ completed: false, outputTokens: 0 });
  expect(await budget.admit(true, 'give-up')).toEqual({ kind: 'admitted' });
  expect(budget.over).toBeUndefined();
});

test('gives up a request that does not wait when no request is left, and does not cut the run short', async () => {
  const budget = new Budget({ ...caps, requests: 0 });
  expect(await budget.admit(false, 'give-up')).toEqual({
    kind: 'over',
    reason: 'no room was left under the cap of 0 requests',
  });
  expect(budget.over).toBeUndefined();
});

test('gives a free place to one of several waiting requests, and lets the others wait', async () => {
  const budget = new Budget({ requests: 99, completions: 2, outputTokens: 16 });
  await budget.admit(true);
  await budget.admit(true);
  const waiting = Array.from({ length: 5 }, async () => {
    const admission = await budget.admit(true);
    if (admission.kind === 'admitted') budget.settle({ completed: false, outputTokens: 0 });
    return admission.kind;
  });
  budget.settle({ completed: false, outputTokens: 0 });
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 5 }, () => 'admitted'));
  expect(budget.over).toBeUndefined();
});

const outcomeOf = (status: number) => answered({ status }).outcome;

test('counts a completion given a success, an uncertain outcome, and a failure of the service', () => {
  const outcomes = [outcomeOf(200), { kind: 'uncertain', reason: 'lost' } as const, outcomeOf(500)];
  expect(outcomes.map((outcome) => chargeOf(outcome, 16).completed)).toEqual([true, true, true]);
});

test('counts nothing given a refusal, a request that was not sent, and a failure that the run armed', () => {
  const notSent = { kind: 'not-sent', reason: 'capped' } as const;
  expect([
    chargeOf(outcomeOf(400), 16),
    chargeOf(notSent, 16),
    chargeOf(outcomeOf(500), 16, 'refusal'),
  ]).toEqual(Array.from({ length: 3 }, () => ({ completed: false, outputTokens: 0 })));
});
