import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { KEYS_IN_ADDRESSES } from '../../fixtures/credentials/wrong-credentials.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { type AnswerForTest, answered, answeredGet } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { declaredCoding, jsonContentType, refusalUtf8, responseUtf8, streamUtf8 } from './answer-encoding.ts';
import { noKeyEchoed, neverFails, statusClasses } from './answer-invariants.ts';

const kind = (invariant: Invariant, answer: AnswerForTest) =>
  invariant.judge(infoForTest())(answered(answer))?.kind;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };
const BROKEN = Uint8Array.of(0x22, 0xc3, 0x28, 0x22);

test.each([
  [200, 'holds'],
  [400, 'holds'],
  [500, 'violated'],
  [501, 'violated'],
  [508, 'violated'],
])('never-fails: given status %i %s', (status, expected) => {
  expect(kind(neverFails, { status })).toBe(expected);
});

test('never-fails: ignores armed failures', () => {
  const armed = { ...answered({ status: 503 }), armed: 'refusal' } as const;
  expect(neverFails.judge(infoForTest())(armed)).toBeUndefined();
});

test.each([
  [neverFails, { status: 500 }, { code: 'failed' }],
  [statusClasses, { body: { error: { code: 'c' } } }, { code: 'error-without-4xx' }],
  [refusalUtf8, { status: 400, headers: JSON_TYPE, body: BROKEN }, { code: 'no-utf8' }],
  [jsonContentType, { body: '{}', headers: {} }, { code: 'json-untold', path: 'content-type' }],
  [noKeyEchoed, { headers: { 'x-key': '[key:second]' } }, { code: 'key-echoed', path: 'x-key' }],
  [noKeyEchoed, { body: '"[key:primary]"' }, { code: 'key-echoed', path: 'the body' }],
] as const)('$id: names what is wrong, and where', (invariant, answer, finding) => {
  expect(invariant.judge(infoForTest())(answered(answer))).toMatchObject({ finding });
});

test.each([
  [{ status: 422, body: 'no' }, 'holds'],
  [{ status: 400, body: 'no' }, 'holds'],
  [{ status: 200, body: { error: { code: 'c' } } }, 'violated'],
  [{ status: 200, body: { choices: [] } }, undefined],
  [{ status: 500, body: { error: {} } }, undefined],
])('status-classes: given %j %s', (answer, expected) => {
  expect(kind(statusClasses, answer)).toBe(expected);
});

test('refusal-utf8: judges refusals declared as JSON', () => {
  expect(kind(refusalUtf8, { status: 400, headers: JSON_TYPE, body: '"é"' })).toBe('holds');
  expect(kind(refusalUtf8, { status: 400, headers: JSON_TYPE, body: BROKEN })).toBe('violated');
  expect(kind(refusalUtf8, { status: 400, headers: {}, body: BROKEN })).toBeUndefined();
  expect(kind(refusalUtf8, { status: 200, headers: JSON_TYPE, body: BROKEN })).toBeUndefined();
  expect(kind(refusalUtf8, { status: 400, headers: JSON_TYPE, body: '' })).toBeUndefined();
  const told = { 'content-type': 'text/html; about=json' };
  expect(kind(refusalUtf8, { status: 400, headers: told, body: BROKEN })).toBeUndefined();
});

test('response-utf8: judges chat responses declared as JSON', () => {
  expect(kind(responseUtf8, { body: { choices: ['é'] } })).toBe('holds');
  expect(kind(responseUtf8, { headers: JSON_TYPE, body: BROKEN })).toBe('violated');
  expect(kind(responseUtf8, { headers: STREAM_TYPE, body: BROKEN })).toBeUndefined();
  expect(kind(responseUtf8, { status: 300, headers: JSON_TYPE, body: BROKEN })).toBeUndefined();
  const list = answeredGet(ENDPOINTS.models, { headers: JSON_TYPE, body: BROKEN });
  expect(responseUtf8.judge(infoForTest())(list)).toBeUndefined();
});

test('stream-utf8: judges event streams, and names the offset of the invalid byte', () => {
  const body = Buffer.concat([Buffer.from('data: né'), Uint8Array.of(0xff), Buffer.from('\n\n')]);
  const ruling = streamUtf8.judge(infoForTest())(answered({ headers: STREAM_TYPE, body }));
  expect(ruling).toMatchObject({ kind: 'violated', finding: { actual: 'no UTF-8 after the first 9 bytes' } });
  expect(kind(streamUtf8, { headers: STREAM_TYPE, body: 'data: né\n\n' })).toBe('holds');
  expect(kind(streamUtf8, { body: { choices: [] } })).toBeUndefined();
  expect(kind(streamUtf8, { status: 400, headers: STREAM_TYPE, body: BROKEN })).toBeUndefined();
});

test.each([
  [{ body: '{}', headers: JSON_TYPE }, 'holds'],
  [{ body: '{}', headers: { 'content-type': 'application/problem+json' } }, 'holds'],
  [{ body: '{}', headers: { 'content-type': 'application/vnd.chat-v1+json' } }, 'holds'],
  [{ body: '{}', headers: { 'content-type': 'application/json ;charset=utf-8' } }, 'holds'],
  [{ body: '{}', headers: { 'content-type': 'application/json  ;charset=utf-8' } }, 'holds'],
  [{ body: '{}', headers: { 'content-type': 'application/json5' } }, 'violated'],
  [{ body: '{}', headers: { 'content-type': 'x-application/json' } }, 'violated'],
  [{ body: '{}', headers: { 'content-type': 'text/html' } }, 'violated'],
  [{ body: 'null', headers: {} }, undefined],
  [{ body: '[]', headers: {} }, 'violated'],
  [{ body: 'Hi.', headers: {} }, undefined],
  [{ body: '3', headers: {} }, undefined],
])('json-content-type: given %j %s', (answer, expected) => {
  expect(kind(jsonContentType, answer)).toBe(expected);
});

const coded = (coding: string) => ({ ...JSON_TYPE, 'content-encoding': coding });

test.each([
  [{ body: '{}', headers: coded('gzip') }, 'violated'],
  [{ body: '[]', headers: coded('GZIP, br') }, 'violated'],
  [{ body: '{}', headers: coded('gzip'), decoded: true }, 'holds'],
  [{ body: gzipSync('{}'), headers: coded('gzip') }, undefined],
  [{ body: '', headers: coded('gzip') }, undefined],
  // Codings that no fetch knows are left as they are.
  [{ body: '{}', headers: coded('identity') }, undefined],
  [{ body: '{}', headers: coded('utf-8, gzip') }, undefined],
  [{ body: '{}', headers: JSON_TYPE }, undefined],
] as const)('declared-coding: given %j %s', (answer, expected) => {
  expect(kind(declaredCoding, answer)).toBe(expected);
});

test('declared-coding: holds given no coding in an answer to a request that accepts one', () => {
  const judge = declaredCoding.judge(infoForTest());
  expect(judge(answered({ body: {} }, {}, { headers: { 'accept-encoding': 'gzip' } }))?.kind).toBe('holds');
});

test.each([
  [{ body: 'Hi.', headers: { 'x-key': 'k' } }, 'holds'],
  [{ body: { error: { message: 'the key [key:primary] is unknown' } } }, 'violated'],
  [{ headers: { 'x-key': '[key:second]' } }, 'violated'],
  [{ body: 'a [key: of a piano' }, 'holds'],
])('no-key-echoed: given %j %s', (answer, expected) => {
  expect(kind(noKeyEchoed, answer)).toBe(expected);
});

test('no-key-echoed: says nothing where the key was in the address, which an answer may name', () => {
  const [place] = KEYS_IN_ADDRESSES;
  const request = place && { credential: { kind: 'forged', ...place } as const };
  const answer = { status: 401, body: { error: { message: 'No: /v1/models?api_key=[key:primary]' } } };
  expect(noKeyEchoed.judge(infoForTest())(answered(answer, {}, request))).toBeUndefined();
});
