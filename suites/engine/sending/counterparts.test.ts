import { expect, test } from 'vitest';
import type { Draft } from '../model/exchange.ts';
import { answered } from '../test-support/exchange.ts';
import { ReusableAnswers } from './counterparts.ts';

const DRAFT: Draft = { method: 'POST', path: '/chat/completions', headers: { a: 'b' }, body: '{"x":1}' };
const REUSING: Draft = { ...DRAFT, mayReuse: true };

function answerAfter(noted: Draft, asked: Draft): boolean {
  const answers = new ReusableAnswers();
  answers.note(noted, answered());
  return answers.answerTo(asked) !== undefined;
}

test('returns the answer to an equal request given one that may reuse it', () => {
  expect(answerAfter(DRAFT, REUSING)).toBe(true);
  expect(answerAfter(DRAFT, DRAFT)).toBe(false);
});

test.each<readonly [string, Partial<Draft>]>([
  ['another body', { body: '{"x":2}' }],
  ['another header', { headers: { a: 'c' } }],
  ['another credential', { credential: { kind: 'none' } }],
  ['an armed fault', { armed: 'refusal' }],
  ['a chosen Idempotency-Key', { idempotencyKey: 'none' }],
])('returns nothing given an earlier request with %s', (_, change) => {
  expect(answerAfter({ ...DRAFT, ...change }, REUSING)).toBe(false);
});

test('returns nothing given an earlier request that was not answered', () => {
  const answers = new ReusableAnswers();
  answers.note(DRAFT, { ...answered(), outcome: { kind: 'not-sent', reason: 'r' } });
  expect(answers.answerTo(REUSING)).toBeUndefined();
});
