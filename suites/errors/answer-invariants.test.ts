import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { KEYS_IN_ADDRESSES } from '../../fixtures/credentials/wrong-credentials.ts';
import type { Invariant } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { type AnswerForTest, answered, answeredGet } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import {
  declaredCoding,
  jsonContentType,
  refusalUtf8,
  responseUtf8,
  streamUtf8,
  noKeyEchoed,
  neverFails,
  statusClasses,
} from './every-answer.ts';

/** What an invariant rules on an answer: of a violation its code, and where it is. */
function ruled(invariant: Invariant, answer: AnswerForTest): string | undefined {
  const ruling = invariant.judge(infoForTest())(answered(answer));
  if (ruling?.kind !== 'violated') return ruling?.kind;
  const { code, path } = ruling.finding;
  return path === undefined ? code : `${code} at ${path}`;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };
const BROKEN = Uint8Array.of(0x22, 0xc3, 0x28, 0x22);

const PAGE = { 'content-type': 'text/html; about=json' };
const typed = (type: string) => ({ body: '{}', headers: { 'content-type': type } });
const coded = (coding: string) => ({ ...JSON_TYPE, 'content-encoding': coding });
const INVALID = Buffer.concat([Buffer.from('data: né'), Uint8Array.of(0xff), Buffer.from('\n\n')]);

test.each<[Invariant, string | undefined, AnswerForTest]>([
  [neverFails, 'holds', { status: 200 }],
  [neverFails, 'holds', { status: 400 }],
  [neverFails, 'failed', { status: 500 }],
  [neverFails, 'failed', { status: 501 }],
  [neverFails, 'failed', { status: 508 }],
  [statusClasses, 'holds', { status: 422, body: 'no' }],
  [statusClasses, 'holds', { status: 400, body: 'no' }],
  [statusClasses, 'error-without-4xx', { status: 200, body: { error: { code: 'c' } } }],
  [statusClasses, undefined, { status: 200, body: { choices: [] } }],
  [statusClasses, undefined, { status: 500, body: { error: {} } }],
  [refusalUtf8, 'holds', { status: 400, headers: JSON_TYPE, body: '"é"' }],
  [refusalUtf8, 'no-utf8', { status: 400, headers: JSON_TYPE, body: BROKEN }],
  [refusalUtf8, undefined, { status: 400, headers: {}, body: BROKEN }],
  [refusalUtf8, undefined, { status: 200, headers: JSON_TYPE, body: BROKEN }],
  [refusalUtf8, undefined, { status: 400, headers: JSON_TYPE, body: '' }],
  [refusalUtf8, undefined, { status: 400, headers: PAGE, body: BROKEN }],
  [responseUtf8, 'holds', { body: { choices: ['é'] } }],
  [responseUtf8, 'no-utf8', { headers: JSON_TYPE, body: BROKEN }],
  [responseUtf8, undefined, { headers: STREAM_TYPE, body: BROKEN }],
  [responseUtf8, undefined, { status: 300, headers: JSON_TYPE, body: BROKEN }],
  [streamUtf8, 'holds', { headers: STREAM_TYPE, body: 'data: né\n\n' }],
  [streamUtf8, 'no-utf8', { headers: STREAM_TYPE, body: INVALID }],
  [streamUtf8, undefined, { body: { choices: [] } }],
  [streamUtf8, undefined, { status: 400, headers: STREAM_TYPE, body: BROKEN }],
  [jsonContentType, 'holds', typed('application/json; charset=utf-8')],
  [jsonContentType, 'holds', typed('application/problem+json')],
  [jsonContentType, 'holds', typed('application/vnd.chat-v1+json')],
  [jsonContentType, 'holds', typed('application/json  ;charset=utf-8')],
  [jsonContentType, 'json-untold at content-type', typed('application/json5')],
  [jsonContentType, 'json-untold at content-type', typed('x-application/json')],
  [jsonContentType, 'json-untold at content-type', typed('text/html')],
  [jsonContentType, 'json-untold at content-type', { body: '[]', headers: {} }],
  [jsonContentType, undefined, { body: 'null', headers: {} }],
  [jsonContentType, undefined, { body: 'Hi.', headers: {} }],
  [jsonContentType, undefined, { body: '3', headers: {} }],
  [declaredCoding, 'miscoded at content-encoding', { body: '{}', headers: coded('gzip') }],
  [declaredCoding, 'miscoded at content-encoding', { body: '[]', headers: coded('GZIP, br') }],
  [declaredCoding, 'holds', { body: '{}', headers: coded('gzip'), decoded: true }],
  [declaredCoding, undefined, { body: gzipSync('{}'), headers: coded('gzip') }],
  [declaredCoding, undefined, { body: '', headers: coded('gzip') }],
  // Codings that no fetch knows are left as they are.
  [declaredCoding, undefined, { body: '{}', headers: coded('identity') }],
  [declaredCoding, undefined, { body: '{}', headers: coded('utf-8, gzip') }],
  [declaredCoding, undefined, { body: '{}', headers: JSON_TYPE }],
  [noKeyEchoed, 'holds', { body: 'Hi.', headers: { 'x-key': 'k' } }],
  [noKeyEchoed, 'holds', { body: 'a [key: of a piano' }],
  [
    noKeyEchoed,
    'key-echoed at the body',
    { body: { error: { message: 'the key [key:primary] is unknown' } } },
  ],
  [noKeyEchoed, 'key-echoed at x-key', { headers: { 'x-key': '[key:second]' } }],
])('$0.id: %s given %j', (invariant, expected, answer) => {
  expect(ruled(invariant, answer)).toBe(expected);
});

test('stream-utf8: says where the text ends', () => {
  const ruling = streamUtf8.judge(infoForTest())(answered({ headers: STREAM_TYPE, body: INVALID }));
  expect(ruling).toMatchObject({ finding: { actual: 'no UTF-8 after the first 9 bytes' } });
});

test.each<[Invariant, string | undefined, string, Exchange]>([
  [neverFails, undefined, 'an armed failure', { ...answered({ status: 503 }), armed: 'refusal' }],
  [responseUtf8, undefined, 'a list', answeredGet(ENDPOINTS.models, { headers: JSON_TYPE, body: BROKEN })],
  [
    declaredCoding,
    'holds',
    'no coding where one is accepted',
    answered({ body: {} }, {}, { headers: { 'accept-encoding': 'gzip' } }),
  ],
])('$0.id: $1 given $2', (invariant, kind, _, exchange) => {
  expect(invariant.judge(infoForTest())(exchange)?.kind).toBe(kind);
});

test('no-key-echoed: says nothing where the key was in the address, which an answer may name', () => {
  const [place] = KEYS_IN_ADDRESSES;
  const request = place && { credential: { kind: 'forged', ...place } as const };
  const answer = { status: 401, body: { error: { message: 'No: /v1/models?api_key=[key:primary]' } } };
  expect(noKeyEchoed.judge(infoForTest())(answered(answer, {}, request))).toBeUndefined();
});
