import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../for-test/exchange-for-test.ts';
import { surveyForTest } from '../for-test/survey-for-test.ts';
import { unserved } from './unserved.ts';

function kindOf(answer: AnswerForTest): string | undefined {
  return unserved(answered(answer), surveyForTest())?.kind;
}

test('leaves refusals to others, whatever their status', () => {
  expect(kindOf({ status: 400, body: '' })).toBe('not-exercised');
  expect(kindOf({ body: { error: { code: 'x', message: 'y' } } })).toBe('not-exercised');
});

test('takes failures and redirections for no answer', () => {
  expect([kindOf({ status: 500 }), kindOf({ status: 302 })]).toEqual(['inconclusive', 'inconclusive']);
});

test('lets through whatever came with success, a completion or not', () => {
  expect([kindOf({ body: { choices: [] } }), kindOf({ body: '<html>' })]).toEqual([undefined, undefined]);
});
