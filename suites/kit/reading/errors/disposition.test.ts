import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../../fixtures/chats/wire.ts';
import { type AnswerForTest, answered, answeredGet } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { dispositionOf, describeAnswer } from './disposition.ts';

const info = infoForTest();
const chat = (answer: AnswerForTest) => dispositionOf(answered(answer), info);
const get = (body: object | string) => dispositionOf(answeredGet(ENDPOINTS.models, { body }), info);
const stream = (body: string) =>
  chat({ body, headers: { 'content-type': 'text/event-stream; charset=utf-8' } });

test.each([
  { choices: [] },
  { data: { choices: [1] } },
  { id: 'x', data: { choices: [1] } },
  { choices: [], error: null },
  { choices: [{}], error: 'x' },
  { choices: [], ok: true },
])('returns served given success with choices: %j', (body) => expect(chat({ body })).toBe('served'));

test('returns served given an event stream, also one whose content type says otherwise', () => {
  const body = 'data: {"text":"Hi"}\n\ndata: [DONE]\n\n';
  expect([
    stream(body),
    chat({ body, headers: {} }),
    chat({ body: ': hello\n\ndata: 1\n\n', headers: {} }),
  ]).toEqual(['served', 'served', 'served']);
});

test('returns served given what the content type alone says is an event stream', () => {
  expect(stream('hello')).toBe('served');
  const types = ['x-text/event-stream', 'text/event-streams', ''].map((type) =>
    chat({ body: 'hello', headers: { 'content-type': type } }),
  );
  expect(types).toEqual(['unrecognised', 'unrecognised', 'unrecognised']);
  expect(chat({ body: 'no data: 1\n\n', headers: {} })).toBe('unrecognised');
});

test('returns refused given a first event that is called error, and served given a later one', () => {
  const told = 'event: error\ndata: {"detail":{"msg":"no"}}\n\n';
  const others = [`: hello\n\n${told}`, `\ufeffid: 1\r\n${told}`, told.replace(': ', ':')];
  expect([told, ...others].map(stream)).toEqual(['refused', 'refused', 'refused', 'refused']);
  expect([`data: {"delta":"Hi"}\n\n${told}`, 'event: errors\ndata: {}\n\n'].map(stream)).toEqual([
    'served',
    'served',
  ]);
});

test('looks at a body of empty lines once', () => {
  expect(stream(`${'\n'.repeat(100_000)}data: {"delta":"Hi"}\n\n`)).toBe('served');
});

test('returns refused given any 4xx, whatever the body', () => {
  const answers = [{ status: 404, body: '<html>' }, { status: 422 }, { status: 400 }];
  expect(answers.map(chat)).toEqual(['refused', 'refused', 'refused']);
});

test('returns unrecognised given a completion under a status that is no success', () => {
  const answers = [300, 302, 199].map((status) => ({ status, body: { choices: [] } }));
  expect(answers.map(chat)).toEqual(['unrecognised', 'unrecognised', 'unrecognised']);
});

test.each([
  { error: { code: 'c' } },
  { error: { code: 'c' }, id: 'x' },
  { error: { code: ['ok'] } },
  { error: 'no' },
  { choices: null, error: { code: 'c' } },
  { choices: [], error: { code: 'c' } },
  { choices: [], code: 'bad', message: 'no' },
  { ok: false, reason: { code: 'c' } },
  { success: false, data: null },
  { errors: [{}] },
  { code: 'bad', message: 'no' },
  { code: 'not ok', message: 'no' },
  { code: 'none_found', message: 'no' },
  { code: 42, message: 'no' },
])('returns refused given an error object with status 200: %j', (body) => {
  expect([chat({ body }), get(body)]).toEqual(['refused', 'refused']);
});

test('returns refused given a stream that begins with an error', () => {
  expect(stream('event: error\r\ndata: {"error":{"code":"c"}}\r\n\r\n')).toBe('refused');
  expect(stream('data:{"error":{"code":"c"}}\n\n')).toBe('refused');
});

test.each([
  ': no event\n\n',
  'data: [DONE]\n\n',
  'id: 1 data: {"error":{"code":"c"}}\n\n',
  Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff]),
])('returns served given a stream that begins without an error: %j', (body) => {
  expect(chat({ body, headers: { 'content-type': 'text/event-stream' } })).toBe('served');
});

test('returns served given a stream that breaks off with an error after text', () => {
  expect(stream('data: {"choices":[{}]}\n\ndata: {"error":{"code":"c"}}\n\n')).toBe('served');
});

test('returns refused given a code where the profile pins it', () => {
  const pinning = infoForTest({ profile: { pins: { 'error.code': '/nummer' } } });
  expect(dispositionOf(answered({ body: { nummer: 7 } }), pinning)).toBe('refused');
  expect(dispositionOf(answered({ body: { nummer: { a: 1 } } }), pinning)).toBe('unrecognised');
  expect(dispositionOf(answered({ body: { choices: [] } }), pinning)).toBe('served');
  expect(dispositionOf(answered({ body: { choices: [], nummer: 7 } }), pinning)).toBe('served');
  expect(dispositionOf(answeredGet('/models', { body: { type: 'list', data: [] } }), pinning)).toBe('served');
});

test('returns failed given a 5xx', () => {
  expect(chat({ status: 500, body: { error: { code: 'c' } } })).toBe('failed');
});

test('returns refused given a 501 to a path that is not an endpoint', () => {
  expect(dispositionOf(answered({ status: 501 }, undefined, { path: '/responses' }), info)).toBe('refused');
  expect(dispositionOf(answered({ status: 500 }, undefined, { path: '/responses' }), info)).toBe('failed');
  expect(chat({ status: 501 })).toBe('failed');
});

test('returns unrecognised given success without choices, HTML and a redirection', () => {
  const answers = [{ body: { text: 'Hi' } }, { body: '<html>' }, { status: 302, body: '' }];
  expect(answers.map(chat)).toEqual(['unrecognised', 'unrecognised', 'unrecognised']);
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
])('returns served given a successful GET: %j', (body) => expect(get(body)).toBe('served'));

test.each<[AnswerForTest, string]>([
  [{ status: 400, body: { error: { code: 'c', message: 'm' } } }, 'status 400, code "c"'],
  [{ status: 503, body: { code: 7, message: 'm' } }, 'status 503, code 7'],
  [{ status: 404, body: '<html>' }, 'status 404'],
  [{ status: 400, body: { error: { message: 'm' } } }, 'status 400'],
  [{ status: 200, body: { error: { code: 'c', message: 'm' } } }, 'status 200'],
])('describes %j as %s', (answer, phrase) => {
  expect(describeAnswer(answered(answer), infoForTest())).toBe(phrase);
});

test('shows the beginning of a long code', () => {
  const answer = { status: 400, body: { error: { code: 'x'.repeat(100), message: 'm' } } };
  expect(describeAnswer(answered(answer), infoForTest())).toBe(`status 400, code "${'x'.repeat(79)}`);
});
