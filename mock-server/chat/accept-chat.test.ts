import { expect, test } from 'vitest';
import type { ReceivedRequest } from '../protocol/answer.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { REQUEST } from '../test-support/chat.ts';
import { callerNamed } from '../test-support/open-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import {
  type AcceptedChat,
  acceptChat,
  allowTokens,
  countInputTokens,
  countTextTokens,
  parseJson,
  selectModel,
} from './accept-chat.ts';

const chat = { model: 'standard-1', messages: [{ role: 'user', content: 'Hello' }] };

const primary = callerNamed('primary');

function accept(change: Partial<ReceivedRequest>): AcceptedChat {
  const request = { ...REQUEST, body: Buffer.from(JSON.stringify(chat)), ...change };
  return acceptChat(builtInWorld, primary, request).chat;
}

const typed = (contentType: string | undefined) => ({ contentType });

test.each([
  ...[undefined, 'application/json', 'application/json; charset=utf-8', 'Application/JSON'].map(typed),
  { contentType: 'application/x+json', contentEncoding: 'Identity' },
])('reads a body with %j', (headers) => {
  expect(accept(headers)).toMatchObject({ stream: false, inputTokens: 6, allowedTokens: 256 });
});

test.each([
  ...['', 'text/plain', 'multipart/form-data', 'application/jsonp', 'application/json-seq'].map(typed),
  { contentEncoding: 'gzip' },
])('refuses a body with %j', (headers) => {
  expect(() => accept(headers)).toThrow(expect.objectContaining({ kind: 'unsupported_media_type' }));
});

const bad = { temperature: 9, messages: [{ role: 'tool', content: 1 }], model: 'none', extra: 1 };

test.each([
  ['body_too_large', null],
  ['invalid_encoding', Buffer.from([0xff])],
  ['invalid_json', Buffer.from('{')],
  ['unknown_field', Buffer.from(JSON.stringify(bad))],
  ['invalid_value', Buffer.from(JSON.stringify({ ...bad, extra: undefined }))],
  ['unknown_model', Buffer.from(JSON.stringify({ ...chat, model: 'none', max_tokens: 1e9 }))],
  ['token_limit', Buffer.from(JSON.stringify({ ...chat, max_tokens: 1e9 }))],
])('finds %s before what comes after it', (kind, body) => {
  expect(() => accept({ body })).toThrow(expect.objectContaining({ kind }));
});

const text = [{ role: 'user', content: '' }] as const;
const picture = [
  { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/' } }] },
] as const;

test('returns a model of the key', () => {
  expect(selectModel(primary, { model: 'compact-1', messages: text }).contextTokens).toBe(1024);
  expect(selectModel(primary, { model: 'vista-1', messages: picture }).vision).toBe(true);
});

const UNKNOWN = ['reserve-1', 'no-such-model', '', 'Compact-1', 'compact-1 ', '__proto__', 'constructor'];

test.each([
  ...UNKNOWN.map((model) => [model, text, 'unknown_model', ['model']] as const),
  ['dormant-1', text, 'model_unavailable', ['model']] as const,
  ['compact-1', picture, 'image_not_allowed', ['messages', 0, 'content', 0]] as const,
])('refuses %j with %j as %s, with the place', (model, messages, kind, path) => {
  expect(() => selectModel(primary, { model, messages })).toThrow(
    expect.objectContaining({ kind, particulars: { path } }),
  );
});

const refused = (kind: string): object => expect.objectContaining({ kind });

test('reads JSON in UTF-8, takes the last of duplicate names, and refuses a byte order mark', () => {
  expect(parseJson(Buffer.from('{"text":"žluť 🌿 \\ud800"}'), 4)).toEqual({ text: 'žluť 🌿 \ud800' });
  expect(parseJson(Buffer.from('{"a":1,"a":2}'), 4)).toEqual({ a: 2 });
  expect(() => parseJson(Buffer.from('\uFEFF{}'), 4)).toThrow(refused('invalid_json'));
});

test('accepts as many levels as the limit, and refuses one more, or very many, without recursion', () => {
  expect(parseJson(Buffer.from('[[[{}]]]'), 4)).toEqual([[[{}]]]);
  const brackets = ['[[[[[', '\\"[[[[[', '\\', '[]{}'];
  expect(parseJson(Buffer.from(JSON.stringify(brackets)), 1)).toEqual(brackets);
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const nested of ['[[[{"a":[]}]]]', '["\\"",[[[[', deep])
    expect(() => parseJson(Buffer.from(nested), 4)).toThrow(refused('json_too_deep'));
});

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
  ['ж', 1],
  ['жжж', 2],
  ['🌿', 1],
  ['\ud800', 1],
])('counts %j as %i tokens', (counted, tokens) => {
  expect(countTextTokens(counted)).toBe(tokens);
});

test('adds four tokens a message and 256 an image', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/' } } as const;
  const content = [image, { type: 'text', text: 'abcd' } as const, image];
  expect(countInputTokens([])).toBe(0);
  expect(countInputTokens([{ role: 'system', content: 'abcd' }, ...text])).toBe(9);
  expect(countInputTokens([{ role: 'user', content }])).toBe(517);
});

const byDefault = builtInWorld.choices.request.maxTokensDefault;
const model = { id: 'm', contextTokens: 100, price: { input: 1, output: 1 } };
const short = { model: 'm', messages: [] };

test.each([
  [{}, 40, 60, 60],
  [{ contextTokens: 1000 }, 40, undefined, 256],
  [{}, 40, undefined, 60],
  [{}, 99, undefined, 1],
  [{}, 40, 61, 'max_tokens'],
  [{}, 40, 1e21, 'max_tokens'],
  [{}, 100, 1, 'messages'],
  [{}, 100, undefined, 'messages'],
  [{}, 5000, undefined, 'messages'],
])('allows, with %j and an input of %i tokens, max_tokens %s: %s', (change, input, requested, expected) => {
  const request = requested === undefined ? short : { ...short, max_tokens: requested };
  const allow = (): number => allowTokens({ ...model, ...change }, input, request, byDefault);
  expect(outcome(allow)).toBe(expected);
});

/** What is allowed, or the field to blame. */
function outcome(allow: () => number): unknown {
  try {
    return allow();
  } catch (error) {
    if (!(error instanceof ServiceError && error.kind === 'token_limit')) throw error;
    return error.particulars.path?.join('/');
  }
}
