import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { type AnswerForTest, answered, answeredGet } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { errorObject } from './error-object.ts';

const judge = errorObject.judge(infoForTest());
const refusal = (body: AnswerForTest['body'], more: AnswerForTest = {}) =>
  judge(answered({ status: 400, ...(body !== undefined && { body }), ...more }));

test.each([
  { error: { code: 'c', message: 'm', request_id: 'r' } },
  { code: 7, message: 'm', requestId: 12 },
  { error: { type: 't', message: 'm' }, trace_id: 't' },
  { error: { code: 'c', message: { en: 'm', 'de-AT': 'n' }, request_id: 'r' } },
])('holds given %j', (body) => {
  expect(refusal(body)).toEqual({ kind: 'holds' });
});

test.each([
  ['<html>Bad request</html>', 'no-error-object', undefined],
  ['', 'no-error-object', undefined],
  ['"no"', 'no-error-object', undefined],
  [{ error: { message: 'm', request_id: 'r' } }, 'no-code', '/error'],
  [{ error: { code: '', message: 'm', request_id: 'r' } }, 'unusable-code', '/error/code'],
  [{ error: { code: 'c', request_id: 'r' } }, 'no-message', '/error'],
  [{ error: { code: 'c', message: ' ', request_id: 'r' } }, 'unusable-message', '/error/message'],
  [{ error: { code: 'c', message: { text: 7 }, request_id: 'r' } }, 'unusable-message', '/error/message'],
  [{ error: { code: 'c', message: { en: '' }, request_id: 'r' } }, 'unusable-message', '/error/message'],
  [
    { error: { code: 'c', message: { en: 'm', de: '' }, request_id: 'r' } },
    'unusable-message',
    '/error/message',
  ],
  [{ error: { code: 'c', message: { '0en': 'm' }, request_id: 'r' } }, 'unusable-message', '/error/message'],
  [
    { error: { code: 'c', message: { 'en us': 'm' }, request_id: 'r' } },
    'unusable-message',
    '/error/message',
  ],
  [{ error: { code: 'c', message: {}, request_id: 'r' } }, 'unusable-message', '/error/message'],
  [{ error: { code: 'c', message: 'm' } }, 'no-request-id', '/error'],
  [{ error: { code: 'c', message: 'm', request_id: null } }, 'unusable-request-id', '/error/request_id'],
  [{ error: { fehler: 'x' } }, 'items-missing', '/error'],
])('is violated given %j', (body, code, path) => {
  const violation = refusal(body);
  expect(violation).toMatchObject({ kind: 'violated', finding: { code } });
  expect(violation?.kind === 'violated' && violation.finding.path).toBe(path);
});

test.each([
  [{ detail: [] }, 'an error object without a code, nor a message, nor a request ID'],
  [{ detail: 'No.' }, 'an error object without a code, nor a request ID'],
  [{ statusCode: 400, error: 'Bad Request', message: 'm' }, 'an error object without a request ID'],
])('names every item that is missing in %j', (body, actual) => {
  expect(refusal(body)).toMatchObject({ kind: 'violated', finding: { actual } });
});

test('is violated given an event stream in place of an error object, unless its status says success', () => {
  const headers = { 'content-type': 'text/event-stream' };
  expect(refusal('data: No.\n\n', { headers })).toMatchObject({ finding: { code: 'no-error-object' } });
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

test('names every item that was not recognised, with where to pin it', () => {
  expect(refusal({ error: { fehler: 'x', nachricht: 'y', request_id: 'r' } })).toMatchObject({
    kind: 'not-exercised',
    reason: expect.stringContaining('a code and a message'),
    hint: 'pin "error.code" and "error.message" in a profile',
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
