import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { chargeOf } from './charge.ts';

const outcomeOf = (status: number) => answered({ status }).outcome;

test('counts a completion given a success, an uncertain outcome, and a failure of the service', () => {
  const outcomes = [outcomeOf(200), { kind: 'uncertain', reason: 'lost' } as const, outcomeOf(500)];
  expect(outcomes.map((outcome) => chargeOf(outcome, 16).completed)).toEqual([true, true, true]);
});

test('counts nothing given a refusal, what was not sent, and a failure that the run has armed', () => {
  const notSent = { kind: 'not-sent', reason: 'capped' } as const;
  expect([
    chargeOf(outcomeOf(400), 16),
    chargeOf(notSent, 16),
    chargeOf(outcomeOf(500), 16, 'refusal'),
  ]).toEqual(Array.from({ length: 3 }, () => ({ completed: false, outputTokens: 0 })));
});
