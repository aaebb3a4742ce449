import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { surveyForTest } from '../test-support/survey.ts';
import { isServed } from './is-served.ts';

const ruling = (answer: AnswerForTest) => isServed(answered(answer), surveyForTest());

test('holds given a completion', () => {
  expect(ruling({ body: { choices: [] } })).toEqual({ kind: 'holds' });
});

test.each([
  [{ status: 400 }, 'refused'],
  [{ status: 500 }, 'failed'],
  [{ status: 300 }, 'redirected'],
  [{ status: 302 }, 'redirected'],
])('is violated given %j, and tells a refusal, a failure and a redirection apart', (answer, code) => {
  expect(ruling(answer)).toMatchObject({ kind: 'violated', finding: { code } });
});

test.each([{ status: 402 }, { status: 429 }, { body: { text: 'Hi.' } }])(
  'is inconclusive given no credit, a rate limit, or what nobody recognises: %j',
  (answer) => {
    expect(ruling(answer).kind).toBe('inconclusive');
  },
);
