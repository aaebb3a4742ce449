import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../../fixtures/chats/chat.ts';
import { type AnswerForTest, answered, answeredGet } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { describeAnswer, dispositionOf, type Disposition } from './disposition.ts';

const info = infoForTest();
const chat = (answer: AnswerForTest) => dispositionOf(answered(answer), info);
const get = (body: object | string) => dispositionOf(answeredGet(ENDPOINTS.models, { body }), info);

test.each<[AnswerForTest, Disposition]>([
  [{ body: { choices: [] } }, 'served'],
  [{ body: { id: 'x', data: { choices: [1] } } }, 'served'],
  [{ body: { choices: [], error: null } }, 'served'],
  [{ body: { choices: [{}], error: 'x' } }, 'served'],
  [{ body: { choices: [], ok: true } }, 'served'],
  [{ body: { text: 'Hi' } }, 'unrecognised'],
  [{ body: '<html>' }, 'unrecognised'],
  [{ status: 300, body: { choices: [] } }, 'unrecognised'],
  [{ status: 302, body: '' }, 'unrecognised'],
  [{ status: 199, body: { choices: [] } }, 'unrecognised'],
  [{ status: 400 }, 'refused'],
  [{ status: 404, body: '<html>' }, 'refused'],
  [{ status: 500, body: { error: { code: 'c' } } }, 'failed'],
  [{ status: 501 }, 'failed'],
])('takes the answer %j to a chat for %s', (answer, expected) => {
  expect(chat(answer)).toBe(expected);
});

test.each([
  { error: { code: 'c' }, id: 'x' },
  { error: { code: ['ok'] } },
  { error: 'no' },
  { choices: null, error: { code: 'c' } },
  { choices: [], error: { code: 'c' } },
  { choices: [], code: 'bad', message: 'no' },
  { ok: false, reason: { code: 'c' } },
  { success: false, data: null },
  { errors: [{}] },
  { code: 'not ok', message: 'no' },
  { code: 'none_found', message: 'no' },
  { code: 42, message: 'no' },
])('takes the error object %j with status 200 for a refusal', (body) => {
  expect([chat({ body }), get(body)]).toEqual(['refused', 'refused']);
});

test.each([
  { data: [{ id: 'm', name: 'n', description: 'd' }] },
  { code: 0, message: 'ok', data: [] },
  { models: [], error: null },
  { code: 20_000, message: 'success', data: [] },
  { error: { code: 0, message: '' }, data: [] },
  { error: {}, data: [] },
  { errors: [], data: [] },
  { error: '', data: [] },
  { error: 7, data: [] },
  { success: true, data: [] },
  { supported: false },
  { code: 'bad', message: { text: 'no' } },
  { code: { is: 'bad' }, message: 'no' },
  { message: 'no' },
  '[]',
])('takes the successful GET of %j for served', (body) => {
  expect(get(body)).toBe('served');
});

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

test.each<[string | Uint8Array, string, Disposition]>([
  ['data: {"text":"Hi"}\n\ndata: [DONE]\n\n', EVENT_STREAM, 'served'],
  ['data: {"text":"Hi"}\n\ndata: [DONE]\n\n', '', 'served'],
  [': hello\n\ndata: 1\n\n', '', 'served'],
  ['hello', EVENT_STREAM, 'served'],
  ['hello', 'x-text/event-stream', 'unrecognised'],
  ['hello', 'text/event-streams', 'unrecognised'],
  ['no data: 1\n\n', '', 'unrecognised'],
  // The first event decides.
  ['event: error\r\ndata: {"error":{"code":"c"}}\r\n\r\n', EVENT_STREAM, 'refused'],
  ['data:{"error":{"code":"c"}}\n\n', EVENT_STREAM, 'refused'],
  [': hello\n\nevent: error\ndata: {"detail":{"msg":"no"}}\n\n', EVENT_STREAM, 'refused'],
  ['\ufeffid: 1\r\nevent:error\r\ndata: {}\r\n\r\n', EVENT_STREAM, 'refused'],
  [`${'\n'.repeat(100_000)}event: error\ndata: {}\n\n`, EVENT_STREAM, 'refused'],
  ['event: errors\ndata: {}\n\n', EVENT_STREAM, 'served'],
  ['data: {"choices":[{}]}\n\ndata: {"error":{"code":"c"}}\n\n', EVENT_STREAM, 'served'],
  [': no event\n\n', EVENT_STREAM, 'served'],
  ['data: [DONE]\n\n', EVENT_STREAM, 'served'],
  ['id: 1 data: {"error":{"code":"c"}}\n\n', EVENT_STREAM, 'served'],
  [Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff]), EVENT_STREAM, 'served'],
])('takes %j of the type "%s" for %s', (body, type, expected) => {
  expect(chat({ body, headers: { 'content-type': type } })).toBe(expected);
});

test('takes a code where the profile pins it for a refusal', () => {
  const pinning = infoForTest({ profile: { pins: { 'error.code': '/nummer' } } });
  const bodies = [{ nummer: 7 }, { nummer: { a: 1 } }, { choices: [] }, { choices: [], nummer: 7 }];
  expect(bodies.map((body) => dispositionOf(answered({ body }), pinning))).toEqual([
    'refused',
    'unrecognised',
    'served',
    'served',
  ]);
  expect(dispositionOf(answeredGet('/models', { body: { data: [] } }), pinning)).toBe('served');
});

test('takes a 501 to a path that is no endpoint for a refusal', () => {
  const elsewhere = (status: number) =>
    dispositionOf(answered({ status }, undefined, { path: '/responses' }), info);
  expect([elsewhere(501), elsewhere(500)]).toEqual(['refused', 'failed']);
});

test.each<[AnswerForTest, string]>([
  [{ status: 400, body: { error: { code: 'c', message: 'm' } } }, 'status 400, code "c"'],
  [{ status: 503, body: { code: 7, message: 'm' } }, 'status 503, code 7'],
  [{ status: 404, body: '<html>' }, 'status 404'],
  [{ status: 400, body: { error: { message: 'm' } } }, 'status 400'],
  [{ status: 200, body: { error: { code: 'c', message: 'm' } } }, 'status 200'],
  [{ status: 400, body: { code: 'x'.repeat(100), message: 'm' } }, `status 400, code "${'x'.repeat(79)}`],
])('describes %j as %s', (answer, phrase) => {
  expect(describeAnswer(answered(answer), info)).toBe(phrase);
});
