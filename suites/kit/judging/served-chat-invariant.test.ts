import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import type { Judgement } from '../model/check.ts';
import type { Exchange, Credential, SentRequest } from '../model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling } from '../model/ruling.ts';
import { answered } from '../test-support/exchange.ts';
import { SERVED } from '../test-support/rulings.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { servedChatInvariant, faithfulChat } from './served-chat-invariant.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };

let keys = 0;

function served(body: object = CHAT, key = `key-${++keys}`, answer = SERVED): Exchange {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return answered(answer, body, { headers });
}

const judgeBy = (holds: Judgement, info = infoForTest()) =>
  servedChatInvariant({ id: 'any', clauses: ['RES-1'], title: 'any', holds }).judge(info);
const judge = (ruling: Ruling = HOLDS) => judgeBy(() => ruling);

test('judges every faithful chat that was served, whichever its model', () => {
  const each = judge();
  expect(each(served())).toEqual(HOLDS);
  expect(each(served({ ...CHAT, model: 'sharp' }))).toEqual(HOLDS);
});

test('judges a trial of that one chat, by what is known of the target', () => {
  const [chat, info] = [served(), infoForTest()];
  const holds: Judgement = (trial, known) =>
    trial.exchanges.length === 1 && trial.exchanges[0] === chat && known === info
      ? HOLDS
      : inconclusive('of something else');
  expect(judgeBy(holds, info)(chat)).toEqual(HOLDS);
});

test('ignores a chat that breaks the specification, and a refusal', () => {
  expect(judge()(served({ ...CHAT, n: 1 }))).toBeUndefined();
  expect(judge()(served(CHAT, 'refused', { status: 400 }))).toBeUndefined();
});

test('ignores an armed fault', () => {
  expect(judge()({ ...served(), armed: 'refusal' })).toBeUndefined();
});

test('says nothing where the Idempotency-Key is missing or was used before', () => {
  const each = judge();
  expect(each(answered(SERVED, CHAT))).toBeUndefined();
  expect(each(served(CHAT, 'twice'))).toEqual(HOLDS);
  expect(each(served(CHAT, 'twice'))).toBeUndefined();
  expect(each(served({ ...CHAT, n: 1 }, 'once'))).toBeUndefined();
  expect(each(served(CHAT, 'once'))).toBeUndefined();
});

test('keeps of what could not be judged that which a profile can change', () => {
  expect(judge(notExercised('elsewhere'))(served())).toBeUndefined();
  const hinted = notExercised('under another name', 'pin it');
  expect(judge(hinted)(served())).toEqual(hinted);
  expect(judge(inconclusive('unknown'))(served())).toEqual(inconclusive('unknown'));
});

const WRITTEN = JSON.stringify(CHAT);
const key = (name: 'primary' | 'second' | 'unscoped'): Credential => ({ kind: 'key', name });
const ofType = (type: string) => ({ headers: { 'content-type': type } });

const read = (body: string | object, request: Partial<SentRequest> = {}, info = infoForTest()) =>
  faithfulChat(answered({}, body, request).request, info);

test('returns the chat given one that breaks no rule', () => {
  expect(read(CHAT)).toEqual(CHAT);
  expect(read({ ...CHAT, model: 'sharp', stream: true, max_tokens: 1 })).toMatchObject({ model: 'sharp' });
});

test.each([
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'Application/JSON ; charset=utf-8 ',
])('returns the chat given the content type %j', (type) => {
  expect(read(CHAT, ofType(type))).toEqual(CHAT);
});

test('reads a request again given another TargetInfo', () => {
  const { request } = answered({}, CHAT);
  expect(faithfulChat(request, infoForTest())).toEqual(CHAT);
  expect(faithfulChat(request, infoForTest({ models: [{ id: 'other' }] }))).toBeUndefined();
});

test.each([
  ['an unknown field', { ...CHAT, n: 1 }],
  ['an unlisted model', { ...CHAT, model: 'none' }],
  ['what the specification leaves open', { ...CHAT, messages: [] }],
  ['a maximum of no tokens', { ...CHAT, max_tokens: 0 }],
  ['a field twice', `${WRITTEN.slice(0, -1)},"model":"small"}`],
  ['a number beyond a double', `${WRITTEN.slice(0, -1)},"max_tokens":1e400}`],
  ['a byte order mark', `\ufeff${WRITTEN}`],
  ['no JSON', 'Hi.'],
])('returns undefined given %s', (_, body) => {
  expect(read(body)).toBeUndefined();
});

test.each([
  ['another content type', ofType('text/plain')],
  ['a charset that it is not in', ofType('application/json; charset=utf-16')],
  ['a content type that only begins with that of JSON', ofType('application/json-patch+json')],
  ['a content type that only ends in that of JSON', ofType('x-application/json')],
  ['a content type with more than a charset', ofType('application/json; charset=utf-8;version=2')],
  ['no content type', { headers: {} }],
  ['another path', { path: ENDPOINTS.models }],
  ['no body', { body: undefined }],
  ['no key', { credential: { kind: 'none' } }],
  ['a key without the scope', { credential: key('unscoped') }],
] as const)('returns undefined given a chat with %s', (_, request) => {
  expect(read(CHAT, request)).toBeUndefined();
});

test('returns undefined given an image that is nested deeper than can be written down', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const part = `{"type":"image_url","image_url":${deep}}`;
  expect(read(`{"model":"sharp","messages":[{"role":"user","content":[${part}]}]}`)).toBeUndefined();
});

test('looks a model up in the list of the key that the chat is sent with', () => {
  const info = infoForTest({ secondModels: [{ id: 'other' }] });
  const chat = { ...CHAT, model: 'other' };
  expect(read(chat, { credential: key('second') }, info)).toEqual(chat);
  expect(read(CHAT, { credential: key('second') }, info)).toBeUndefined();
  expect(read(chat, { credential: key('second') })).toBeUndefined();
});

test('returns undefined given a key without the scope, whatever is listed to the second one', () => {
  const info = infoForTest({ secondModels: [{ id: 'small' }] });
  expect(read(CHAT, { credential: key('second') }, info)).toEqual(CHAT);
  expect(read(CHAT, { credential: key('unscoped') }, info)).toBeUndefined();
});
