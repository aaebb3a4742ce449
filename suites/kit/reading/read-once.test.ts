import { expect, test } from 'vitest';
import { answerOf } from './answer-of.ts';
import { answered } from '../test-support/exchange.ts';
import type { Answer } from '../model/exchange.ts';
import { readOnce } from './read-once.ts';

test('reads once given the same answer and context again, also when the reading is undefined', () => {
  let reads = 0;
  const read = readOnce<Answer, object, undefined>(() => void reads++);
  const [answer, context] = [answerOf(answered()), {}];
  read(answer, context);
  read(answer, context);
  expect(reads).toBe(1);
});

test('reads again given another context', () => {
  const read = readOnce((_, { name }: { name: string }) => name);
  const answer = answerOf(answered());
  expect([read(answer, { name: 'a' }), read(answer, { name: 'b' })]).toEqual(['a', 'b']);
});
