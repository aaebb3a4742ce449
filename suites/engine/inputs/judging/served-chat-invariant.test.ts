import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../../fixtures/chats/chat.ts';
import type { Judgement } from '../../model/check.ts';
import type { Exchange, Credential, SentRequest } from '../../model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling } from '../../model/ruling.ts';
import { answered } from '../../test-support/exchange.ts';
import { SERVED } from '../../test-support/rulings.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { everyServedChat, faithfulChat } from './served-chat-invariant.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };

let keys = 0;

function served(body: object = CHAT, key = `key-${++keys}`, answer = SERVED): Exchange {
  return answered(answer, body, { headers: { 'content-type': 'application/json', 'idempotency-key': key } });
}

const judgeBy = (holds: Judgement, info = infoForTest()) =>
  everyServedChat('any', { clauses: ['RES-1'], title: 'any', holds }).judge(info);
const judge = (ruling: Ruling = HOLDS) => judgeBy(() => ruling);

test.each<[string, Exchange, Ruling | undefined]>([
  ['a faithful chat', served(), HOLDS],
  ['one of another model', served({ ...CHAT, model: 'sharp' }), HOLDS],
  ['one that breaks the specification', served({ ...CHAT, n: 1 }), undefined],
  ['a refusal', served(CHAT, 'refused', { status: 400 }), undefined],
  ['an armed fault', { ...served(), armed: 'refusal' }, undefined],
  ['a chat without Idempotency-Key', answered(SERVED, CHAT), undefined],
])('judges what was served of %s, alone and by what is known of the target', (_, exchange, ruling) => {
  const info = infoForTest();
  const holds: Judgement = (trial, known) =>
    isDeepStrictEqual([trial, known], [{ exchanges: [exchange] }, info]) ? HOLDS : inconclusive('of another');
  expect(judgeBy(holds, info)(exchange)).toEqual(ruling);
});

test('says nothing where the Idempotency-Key was used before', () => {
  const each = judge();
  expect([each(served(CHAT, 'twice')), each(served(CHAT, 'twice'))]).toEqual([HOLDS, undefined]);
  expect([each(served({ ...CHAT, n: 1 }, 'once')), each(served(CHAT, 'once'))]).toEqual([
    undefined,
    undefined,
  ]);
});

test('keeps of what could not be judged that which a profile can change', () => {
  expect(judge(notExercised('elsewhere'))(served())).toBeUndefined();
  for (const ruling of [notExercised('under another name', 'pin it'), inconclusive('unknown')])
    expect(judge(ruling)(served())).toEqual(ruling);
});

const WRITTEN = JSON.stringify(CHAT);
const key = (name: 'primary' | 'second' | 'unscoped') => ({
  credential: { kind: 'key', name } as Credential,
});
const ofType = (type: string) => ({ headers: { 'content-type': type } });

const read = (body: string | object, request: Partial<SentRequest> = {}, info = infoForTest()) =>
  faithfulChat(answered({}, body, request).request, info);

test.each([
  [CHAT, {}],
  [{ ...CHAT, model: 'sharp', stream: true, max_tokens: 1 }, {}],
  [CHAT, ofType('application/json; charset=utf-8')],
  [CHAT, ofType('application/json;charset="UTF-8"')],
  [CHAT, ofType('Application/JSON ; charset=utf-8 ')],
])('returns the chat given one that breaks no rule: %j, %j', (chat, request) => {
  expect(read(chat, request)).toEqual(chat);
});

test.each(['16.0', '16e0', '1e400', '123456789012345678901234567890'])(
  'returns the chat given one whose max_tokens is written as %s',
  (literal) => {
    const chat = { ...CHAT, max_tokens: Number(literal) };
    expect(read(`${WRITTEN.slice(0, -1)},"max_tokens":${literal}}`)).toEqual(chat);
  },
);

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

test.each<[string, string | object, Partial<SentRequest>?]>([
  ['an unknown field', { ...CHAT, n: 1 }],
  ['an unlisted model', { ...CHAT, model: 'none' }],
  ['what the specification leaves open', { ...CHAT, messages: [] }],
  ['a maximum of no tokens', { ...CHAT, max_tokens: 0 }],
  ['a field twice', `${WRITTEN.slice(0, -1)},"model":"small"}`],
  ['a byte order mark', `\ufeff${WRITTEN}`],
  ['no JSON', 'Hi.'],
  ['an image too deep to be written', WRITTEN.replace('"Hi."', `[{"type":"image_url","image_url":${DEEP}}]`)],
  ['another content type', CHAT, ofType('text/plain')],
  ['a charset that it is not in', CHAT, ofType('application/json; charset=utf-16')],
  ['a type that only begins with that of JSON', CHAT, ofType('application/json-patch+json')],
  ['a type that only ends in that of JSON', CHAT, ofType('x-application/json')],
  ['a type with more than a charset', CHAT, ofType('application/json; charset=utf-8;version=2')],
  ['no content type', CHAT, { headers: {} }],
  ['another path', CHAT, { path: ENDPOINTS.models }],
  ['no body', CHAT, { body: undefined }],
  ['no key', CHAT, { credential: { kind: 'none' } }],
  ['a key without the scope', CHAT, key('unscoped')],
])('returns undefined given %s', (_, body, request) => {
  expect(read(body, request)).toBeUndefined();
});

test('looks a model up in the list of the key that the chat is sent with, each time', () => {
  const info = infoForTest({ secondModels: [{ id: 'other' }] });
  const chat = { ...CHAT, model: 'other' };
  expect(read(chat, key('second'), info)).toEqual(chat);
  expect(read(CHAT, key('second'), info)).toBeUndefined();
  expect(read(chat, key('second'))).toBeUndefined();
  expect(read(chat, key('unscoped'), info)).toBeUndefined();
  const { request } = answered({}, CHAT);
  expect(faithfulChat(request, infoForTest())).toEqual(CHAT);
  expect(faithfulChat(request, infoForTest({ models: [{ id: 'other' }] }))).toBeUndefined();
});
