import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { surveyForTest } from '../test-support/survey.ts';
import { HOLDS, inconclusive } from '../model/ruling.ts';
import { withErrorObject } from './with-error-object.ts';

const STREAMED: AnswerForTest = {
  status: 400,
  headers: { 'content-type': 'text/event-stream' },
  body: 'data: {"error":{"code":"x","message":"No."}}\n\n',
};

function kind(answer: AnswerForTest, stream = false): string {
  const exchange = answered(answer, { model: 'small', messages: [], stream });
  return withErrorObject(HOLDS, { exchanges: [exchange] }, surveyForTest()).kind;
}

test('returns the ruling given a refusal with an error object, and any other ruling as it is', () => {
  expect(kind({ status: 400, body: { error: { code: 'x', message: 'No.' } } })).toBe('holds');
  const other = inconclusive('it failed');
  expect(withErrorObject(other, { exchanges: [answered()] }, surveyForTest())).toBe(other);
});

test('returns a violation given a refusal without one', () => {
  expect(kind({ status: 400, body: 'No.' })).toBe('violated');
  expect(kind({ status: 400, body: 'No.' }, true)).toBe('violated');
});

test('returns a violation given a refusal without one of a request that was no JSON', () => {
  const trial = { exchanges: [answered({ status: 400, body: 'No.' }, '{"model":')] };
  expect(withErrorObject(HOLDS, trial, surveyForTest())).toMatchObject({
    finding: { code: 'no-error-object' },
  });
});

test('returns the ruling given a trial that sent nothing', () => {
  expect(withErrorObject(HOLDS, { exchanges: [] }, surveyForTest())).toBe(HOLDS);
});

test('leaves a refusal inside the event stream that was asked for to others', () => {
  expect(kind(STREAMED, true)).toBe('not-exercised');
  expect(kind(STREAMED)).toBe('violated');
});
