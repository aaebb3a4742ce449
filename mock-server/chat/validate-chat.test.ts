import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../protocol/service-error.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { Choices } from '../world/world-schema.ts';
import { firstImage, validateChat } from './validate-chat.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const chat = { model: 'compact-1', messages };
const with1 = (message: unknown): object => ({ ...chat, messages: [messages[0], message] });
const url = 'https://example.com/a.png';
const text = { type: 'text', text: 'What is this?' } as const;
const image = { type: 'image_url', image_url: { url } } as const;
const withParts = (...content: readonly unknown[]): object => with1({ role: 'user', content });
const withImage = (change: object): object => withParts({ ...image, ...change });
const withUrl = (address: unknown): object => withImage({ image_url: { url: address } });

type Chosen = { readonly [Group in 'messages' | 'images']?: Partial<Choices[Group]> };

/** The chat as it was accepted, or the error and its place. */
function outcome(body: unknown, { messages: of = {}, images = {} }: Chosen = {}): unknown {
  const { choices } = builtInWorld;
  const own = { messages: { ...choices.messages, ...of }, images: { ...choices.images, ...images } };
  try {
    validateChat(body, { ...choices, ...own });
    return body;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.kind} /${(error.particulars.path ?? []).join('/')}`;
  }
}

test.each([
  chat,
  { ...chat, stream: true },
  { ...chat, stream: false, max_tokens: 1, temperature: 0 },
  { ...chat, max_tokens: 1e21, temperature: 2 },
  { ...chat, temperature: 0.5 },
  ...['system', 'user', 'assistant'].map((role) => with1({ role, content: 'Hello' })),
  withParts(text, image),
  ...['auto', 'low', 'high'].map((detail) => withImage({ image_url: { url, detail } })),
  ...['HTTPS://EXAMPLE.COM/a.png', 'data:image/png;base64,iVBORw0KGgo='].map(withUrl),
  ...['DATA:image/JPEG;base64,/9j/4AAQ', 'data:image/webp;base64,UklGRg=='].map(withUrl),
  withUrl('data:image/gif;base64,R0lGODlh'),
])('accepts %j', (body) => {
  expect(outcome(body)).toEqual(body);
});

test('accepts an image of many megabytes, in a world that allows such bodies', () => {
  const body = withUrl(`data:image/png;base64,${'A'.repeat(20_000_000)}`);
  expect(() => validateChat(body, builtInWorld.choices)).not.toThrow();
});

const NEITHER_TEXT = [null, 1, true, {}, { text: 'a' }];
const ROLES = ['tool', 'developer', 'function', 'User', 'user ', '', null, 1, ['user']];
const BAD_URLS = [
  'http://example.com/a.png',
  'ftp://example.com/a.png',
  'file:///a.png',
  'example.com/a.png',
  'https://',
  '',
  ...['', 'abc', 'ab c', 'a==='].map((data) => `data:image/png;base64,${data}`),
  'data:image/png,abcd',
  'data:image/svg+xml;base64,abcd',
  'data:text/plain;base64,abcd',
  null,
  7,
];
const PART = '/messages/1/content/0';
/** Chats, each with another value of a field. */
const each = (field: string, ...values: readonly unknown[]): readonly object[] =>
  values.map((value) => ({ ...chat, [field]: value }));

test.each<[string, string, readonly unknown[]]>([
  ['invalid_value', '/', [null, [], 'text', 1, true, [chat]]],
  ['missing_field', '/model', [{ messages }, Object.create(chat)]],
  ['missing_field', '/messages', [{ model: 'compact-1' }]],
  ['invalid_value', '/model', each('model', null, 7, ['compact-1'])],
  ['invalid_value', '/messages', each('messages', null, 'Hello', { 0: messages[0], length: 1 }, [])],
  ['invalid_value', '/temperature', each('temperature', null, '1', true, -0.1, 2.1, Infinity)],
  ['invalid_value', '/max_tokens', each('max_tokens', null, '5', 1.5, 0, -1, Infinity, false)],
  ['invalid_value', '/stream', each('stream', null, 'true', 0)],
  ['invalid_value', '/messages/1', ['text', null, 3, []].map(with1)],
  ['invalid_value', '/messages/1/role', ROLES.map((role) => with1({ role, content: '' }))],
  ['invalid_value', '/messages/1/content', NEITHER_TEXT.map((content) => with1({ role: 'user', content }))],
  ['invalid_value', '/messages/1/content', [withParts(), withParts(text)]],
  ['missing_field', '/messages/1/role', [with1({ content: 'a' })]],
  ['missing_field', '/messages/1/content', [with1({ role: 'user' })]],
  ['unknown_field', '/messages/1/name', [with1({ ...messages[0], name: 'b' })]],
  [
    'image_not_allowed',
    '/messages/1/content/1',
    ['system', 'assistant'].map((role) => with1({ role, content: [text, image] })),
  ],
  ['invalid_value', `${PART}/type`, [withParts({ type: 'input_audio' }, image)]],
  ['missing_field', `${PART}/type`, [withParts({ text: 'a' }, image)]],
  ['missing_field', `${PART}/text`, [withParts({ type: 'text' }, image)]],
  ['invalid_value', `${PART}/text`, [withParts({ type: 'text', text: null }, image)]],
  ['unknown_field', `${PART}/extra`, [withParts({ ...text, extra: 1 }, image)]],
  ['invalid_value', PART, [withParts('text', image)]],
  ['invalid_value', `${PART}/image_url/url`, BAD_URLS.map(withUrl)],
  ['missing_field', `${PART}/image_url/url`, [withImage({ image_url: {} })]],
  ['invalid_value', `${PART}/image_url/detail`, [withImage({ image_url: { url, detail: null } })]],
  ['unknown_field', `${PART}/image_url/size`, [withImage({ image_url: { url, size: 1 } })]],
  ['missing_field', `${PART}/image_url`, [withParts({ type: 'image_url' })]],
  ['invalid_value', `${PART}/image_url`, [withImage({ image_url: url })]],
  ['unknown_field', `${PART}/cache`, [withImage({ cache: true })]],
])('refuses with %s at %s any of %j', (kind, place, bodies) => {
  for (const body of bodies) expect([body, outcome(body)]).toEqual([body, `${kind} ${place}`]);
});

test.each([
  '{"model":"m","messages":[],"__proto__":{"polluted":true}}',
  '{"__proto__":{"model":"m","messages":[]}}',
])('refuses __proto__ as an unknown field and pollutes nothing: %s', (body) => {
  expect(outcome(JSON.parse(body))).toBe('unknown_field /__proto__');
  expect({}).not.toHaveProperty('polluted');
});

const HOLLOW = with1({ role: 'user', content: '' });
const NAMED = with1({ ...messages[0], name: 'b' });

test.each<[object, Chosen['messages'], Chosen['messages'], string]>([
  [{ ...chat, messages: [] }, { emptyList: 'accept' }, { emptyList: 'refuse' }, 'invalid_value /messages'],
  [HOLLOW, { emptyContent: 'accept' }, { emptyContent: 'refuse' }, 'invalid_value /messages/1/content'],
  [NAMED, { extraFields: 'ignore' }, { extraFields: 'refuse' }, 'unknown_field /messages/1/name'],
])('accepts %j given %j, and refuses it given %j', (body, accepting = {}, refusing = {}, refusal) => {
  expect(outcome(body, { messages: accepting })).toEqual(body);
  expect(outcome(body, { messages: refusing })).toBe(refusal);
});

test('refuses an image by https where the world takes data only', () => {
  const data = { images: { schemes: ['data'] } } as const;
  expect(outcome(withUrl(url), data)).toBe(`invalid_value ${PART}/image_url/url`);
});

test.each(['tool_calls', 'tool_call_id', 'function_call'])(
  'refuses %s of a message in every world',
  (field) => {
    const body = with1({ role: 'assistant', content: 'a', [field]: [] });
    expect(outcome(body, { messages: { extraFields: 'ignore' } })).toBe(`unknown_field /messages/1/${field}`);
  },
);

test('accepts or refuses any JSON value, and never fails or pollutes', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const field = fc.constantFrom('model', 'messages', 'stream', 'role', 'content', '__proto__', 'constructor');
  const object = fc.dictionary(fc.oneof(field, fc.string()), fc.jsonValue());
  const nearMiss = fc.record({ model: fc.jsonValue(), messages: fc.array(fc.oneof(object, fc.jsonValue())) });
  fc.assert(
    fc.property(fc.oneof(nearMiss, object, fc.jsonValue()), (value) => {
      outcome(JSON.parse(JSON.stringify(value)));
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    }),
    { numRuns: 300 },
  );
});

test('finds the place of the first image', () => {
  const second = { role: 'user', content: [text, image, image] } as const;
  expect(firstImage([{ role: 'user', content: '' }])).toBeUndefined();
  expect(firstImage([{ role: 'system', content: '' }, second])).toEqual(['messages', 1, 'content', 1]);
});
