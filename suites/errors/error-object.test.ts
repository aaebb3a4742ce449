import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { type AnswerForTest, answered, answeredGet } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
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

/** An error whose items these are, in place of those that are right. */
const error = (items: object) => ({ error: { code: 'c', message: 'm', request_id: 'r', ...items } });

test.each<readonly [string | object, string, string?]>([
  ['<html>Bad request</html>', 'no-error-object'],
  ['', 'no-error-object'],
  ['"no"', 'no-error-object'],
  [error({ code: undefined }), 'no-code', '/error'],
  [error({ code: '' }), 'unusable-code', '/error/code'],
  [error({ message: undefined }), 'no-message', '/error'],
  ...[' ', { text: 7 }, { en: '' }, { en: 'm', de: '' }, { '0en': 'm' }, { 'en us': 'm' }, {}].map(
    (message) => [error({ message }), 'unusable-message', '/error/message'] as const,
  ),
  [error({ request_id: undefined }), 'no-request-id', '/error'],
  [error({ request_id: null }), 'unusable-request-id', '/error/request_id'],
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

test.each([
  [{ code: 'c', message: 'm', vorgang: 'v-17' }, 'a request ID', '"error.request_id"'],
  [
    { fehler: 'x', nachricht: 'y', request_id: 'r' },
    'a code and a message',
    '"error.code" and "error.message"',
  ],
])('is not exercised, with what to pin, given members that may be the items: %j', (items, what, points) => {
  expect(refusal({ error: items })).toMatchObject({
    kind: 'not-exercised',
    reason: expect.stringContaining(what),
    hint: `pin ${points} in a profile`,
  });
});

const EVENTS = { 'content-type': 'text/event-stream' };
const NOTHING = { status: 404, body: 'no' };

test.each<[string | undefined, string, Exchange]>([
  [undefined, 'what was served', answered({ body: { choices: [] } })],
  [undefined, 'a failure', answered({ status: 500 })],
  [
    undefined,
    'an error inside a stream',
    answered({ headers: EVENTS, body: 'data: {"error":{"code":"c"}}\n\n' }),
  ],
  [undefined, 'another path', answeredGet('/nowhere', NOTHING)],
  [undefined, 'another method', answeredGet(ENDPOINTS.chat, NOTHING)],
  [undefined, 'a PUT', answered(NOTHING, '', { method: 'PUT' })],
  ['violated', 'a list of models', answeredGet(ENDPOINTS.models, NOTHING)],
  ['violated', 'vision', answeredGet(ENDPOINTS.vision, NOTHING)],
  [
    'violated',
    'an error without a request ID under status 200',
    answered({ body: { error: { code: 'c', message: 'm' } } }),
  ],
])('is %s of %s', (kind, _, exchange) => {
  expect(judge(exchange)?.kind).toBe(kind);
});
