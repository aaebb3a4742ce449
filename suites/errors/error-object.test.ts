import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../fixtures/wire.ts';
import { type AnswerForTest, answered, answeredGet } from '../kit/for-test/exchange-for-test.ts';
import { surveyForTest } from '../kit/for-test/survey-for-test.ts';
import { errorObject } from './error-object.ts';

const judge = errorObject.judge(surveyForTest());
const refusal = (body: AnswerForTest['body'], more: AnswerForTest = {}) =>
  judge(answered({ status: 400, ...(body !== undefined && { body }), ...more }));

test.each([
  { error: { code: 'c', message: 'm', request_id: 'r' } },
  { code: 7, message: 'm', requestId: 12 },
  { error: { type: 't', message: 'm' }, trace_id: 't' },
])('holds given %j', (body) => {
  expect(refusal(body)).toEqual({ kind: 'holds' });
});

test.each([
  ['<html>Bad request</html>', 'no-error-object'],
  ['', 'no-error-object'],
  ['"no"', 'no-error-object'],
  [{ error: { message: 'm', request_id: 'r' } }, 'no-code'],
  [{ error: { code: '', message: 'm', request_id: 'r' } }, 'unusable-code'],
  [{ error: { code: 'c', request_id: 'r' } }, 'no-message'],
  [{ error: { code: 'c', message: ' ', request_id: 'r' } }, 'unusable-message'],
  [{ error: { code: 'c', message: { en: 'm' }, request_id: 'r' } }, 'unusable-message'],
  [{ error: { code: 'c', message: 'm' } }, 'no-request-id'],
  [{ error: { code: 'c', message: 'm', request_id: null } }, 'unusable-request-id'],
  [{ fehler: 'x' }, 'items-missing'],
])('is violated given %j', (body, code) => {
  expect(refusal(body)).toMatchObject({ kind: 'violated', finding: { code } });
});

test('is violated given an error object without a request ID under status 200', () => {
  expect(judge(answered({ body: { error: { code: 'c', message: 'm' } } }))).toMatchObject({
    kind: 'violated',
  });
});

test('is not exercised, with what to pin, given a member that may be the request ID', () => {
  expect(refusal({ error: { code: 'c', message: 'm', vorgang: 'v-17' } })).toMatchObject({
    kind: 'not-exercised',
    hint: 'pin "error.request_id" in a profile',
  });
});

test('says nothing given what was served, what failed, and an error inside a stream', () => {
  const headers = { 'content-type': 'text/event-stream' };
  const exchanges = [
    { body: { choices: [] } },
    { status: 500 },
    { headers, body: 'data: {"error":{"code":"c"}}\n\n' },
  ];
  expect(exchanges.map((answer) => judge(answered(answer)))).toEqual([undefined, undefined, undefined]);
});

test('says nothing given another path or another method, and judges the two GET endpoints', () => {
  const answer = { status: 404, body: 'no' };
  const exchanges = [
    answeredGet('/nowhere', answer),
    answered(answer, '', { method: 'PUT' }),
    answeredGet(ENDPOINTS.chat, answer),
    answeredGet(ENDPOINTS.models, answer),
    answeredGet(ENDPOINTS.vision, answer),
  ];
  expect(exchanges.map((exchange) => judge(exchange)?.kind)).toEqual([
    undefined,
    undefined,
    undefined,
    'violated',
    'violated',
  ]);
});
