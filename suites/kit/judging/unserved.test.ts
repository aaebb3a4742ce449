import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { surveyForTest } from '../test-support/survey.ts';
import { unserved } from './unserved.ts';

function kindOf(answer: AnswerForTest): string | undefined {
  return unserved(answered(answer), surveyForTest())?.kind;
}

test('leaves refusals to others, whatever their status', () => {
  expect(kindOf({ status: 400, body: '' })).toBe('not-exercised');
  expect(kindOf({ body: { error: { code: 'x', message: 'y' } } })).toBe('not-exercised');
});

test.each([
  [500, 'the service failed: status 500'],
  [302, 'neither served nor refused: status 302'],
  [101, 'neither served nor refused: status 101'],
])('takes failures, redirections and the like for no answer: %i', (status, reason) => {
  expect(unserved(answered({ status }), surveyForTest())).toEqual({ kind: 'inconclusive', reason });
});

test('lets through whatever came with success, a completion or not', () => {
  const answers = [{ body: { choices: [] } }, { body: '<html>' }, { status: 200 }, { status: 299 }];
  expect(answers.map(kindOf)).toEqual(answers.map(() => undefined));
});
