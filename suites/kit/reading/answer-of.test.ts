import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { answerOf } from './answer-of.ts';

test('returns the answer, and throws, naming the exchange and why, given none', () => {
  expect(answerOf(answered({ status: 204 })).status).toBe(204);
  const unsent = {
    ...answered(),
    id: 'chats/1/0',
    outcome: { kind: 'not-sent', reason: 'no budget' },
  } as const;
  expect(() => answerOf(unsent)).toThrow(
    new TypeError('exchange chats/1/0 has no answer to judge: no budget'),
  );
});
