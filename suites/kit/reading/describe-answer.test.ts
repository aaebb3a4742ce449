import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { surveyForTest } from '../test-support/survey.ts';
import { describeAnswer } from './describe-answer.ts';

test.each<[AnswerForTest, string]>([
  [{ status: 400, body: { error: { code: 'c', message: 'm' } } }, 'status 400, code "c"'],
  [{ status: 503, body: { code: 7, message: 'm' } }, 'status 503, code 7'],
  [{ status: 404, body: '<html>' }, 'status 404'],
  [{ status: 400, body: { error: { message: 'm' } } }, 'status 400'],
  [{ status: 200, body: { error: { code: 'c', message: 'm' } } }, 'status 200'],
])('describes %j as %s', (answer, phrase) => {
  expect(describeAnswer(answered(answer), surveyForTest())).toBe(phrase);
});

test('shows the beginning of a long code', () => {
  const answer = { status: 400, body: { error: { code: 'x'.repeat(100), message: 'm' } } };
  expect(describeAnswer(answered(answer), surveyForTest())).toBe(`status 400, code "${'x'.repeat(79)}`);
});
