import { expect, test } from 'vitest';
import { ServiceError } from '../protocol/service-error.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { Choices, ImageChoices } from '../world/world.ts';
import type { JsonObject } from './read-json.ts';
import { validateMessages, firstImage, validateImagePart } from './validate-message.ts';

const text = { type: 'text', text: 'What is this?' } as const;
const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } } as const;

function outcome(messages: unknown, messageChoices: Partial<Choices['messages']> = {}): unknown {
  const { choices } = builtInWorld;
  try {
    return validateMessages(messages, { ...choices, messages: { ...choices.messages, ...messageChoices } });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { kind: error.kind, path: `/${(error.particulars.path ?? []).join('/')}` };
  }
}

const HOLLOW = [{ role: 'user', content: '' }];

const refused = (kind: string, path: string): object => ({ kind, path });

test.each(['system', 'user', 'assistant'])('accepts text from the role %s', (role) => {
  expect(outcome([{ role, content: 'Hello' }])).toEqual([{ role, content: 'Hello' }]);
});

const ROLES = ['tool', 'developer', 'function', 'User', 'user ', '', null, 1, ['user']];

test.each([
  ...ROLES.map((role) => [{ role, content: '' }, 'invalid_value', '/role'] as const),
  ...[null, 1, true, {}, { text: 'a' }].map(
    (content) => [{ role: 'user', content }, 'invalid_value', '/content'] as const,
  ),
  ...['text', null, 3, []].map((message) => [message, 'invalid_value', ''] as const),
  [{ content: 'a' }, 'missing_field', '/role'] as const,
  [{ role: 'user' }, 'missing_field', '/content'] as const,
  [{ role: 'user', content: 'a', name: 'b' }, 'unknown_field', '/name'] as const,
])('refuses the second message %j as %s at %j', (message, kind, place) => {
  expect(outcome([{ role: 'user', content: '' }, message])).toEqual(refused(kind, `/messages/1${place}`));
});

test('ignores a further field of a message where the world says so', () => {
  const messages = [{ role: 'user', content: 'a', name: 'b' }];
  expect(outcome(messages, { extraFields: 'ignore' })).toEqual(messages);
});

test.each(['tool_calls', 'tool_call_id', 'function_call'])(
  'refuses %s of a message in every world',
  (field) => {
    const messages = [{ role: 'assistant', content: 'a', [field]: [] }];
    expect(outcome(messages, { extraFields: 'ignore' })).toEqual(
      refused('unknown_field', `/messages/0/${field}`),
    );
  },
);

test.each([
  ['an empty list', [], { emptyList: 'accept' }, { emptyList: 'refuse' }, '/messages'],
  ['an empty text', HOLLOW, { emptyContent: 'accept' }, { emptyContent: 'refuse' }, '/messages/0/content'],
] as const)('accepts or refuses %s as the world says', (_, messages, accept, refuse, path) => {
  expect(outcome(messages, accept)).toEqual(messages);
  expect(outcome(messages, refuse)).toEqual(refused('invalid_value', path));
});

test.each([
  ['user', [text, image], undefined],
  ['system', [text, image], refused('image_not_allowed', '/messages/0/content/1')],
  ['assistant', [text, image], refused('image_not_allowed', '/messages/0/content/1')],
  ['user', [], refused('invalid_value', '/messages/0/content')],
  ['user', [text], refused('invalid_value', '/messages/0/content')],
])('accepts an image of the user alone, and parts with an image alone: %s, %j', (role, content, refusal) => {
  const messages = [{ role, content }];
  expect(outcome(messages)).toEqual(refusal ?? messages);
});

test.each([
  [{ type: 'input_audio' }, 'invalid_value', '/type'],
  [{ text: 'a' }, 'missing_field', '/type'],
  [{ type: 'text' }, 'missing_field', '/text'],
  [{ type: 'text', text: null }, 'invalid_value', '/text'],
  [{ type: 'text', text: 'a', extra: 1 }, 'unknown_field', '/extra'],
  ['text', 'invalid_value', ''],
])('refuses the part %j', (part, kind, path) => {
  expect(outcome([{ role: 'user', content: [image, part] }])).toEqual(
    refused(kind, `/messages/0/content/1${path}`),
  );
});

const schemes = { schemes: ['data', 'https'] } as const;
const at = ['part'];
const url = 'https://example.com/';

const part = (imageUrl: unknown): JsonObject => ({ type: 'image_url', image_url: imageUrl });

test.each([
  'https://example.com/a.png',
  'HTTPS://EXAMPLE.COM/a.png',
  'data:image/png;base64,iVBORw0KGgo=',
  'DATA:image/JPEG;base64,/9j/4AAQ',
  'data:image/webp;base64,UklGRg==',
  'data:image/gif;base64,R0lGODlh',
])('accepts the URL %s', (address) => {
  expect(validateImagePart(part({ url: address }), at, schemes)).toEqual(part({ url: address }));
});

test.each([
  'http://example.com/a.png',
  'ftp://example.com/a.png',
  'file:///a.png',
  'example.com/a.png',
  'https://',
  '',
  'data:image/png;base64,',
  'data:image/png;base64,abc',
  'data:image/png;base64,ab c',
  'data:image/png;base64,a===',
  'data:image/png,abcd',
  'data:image/svg+xml;base64,abcd',
  'data:text/plain;base64,abcd',
  null,
  7,
])('refuses the URL %j', (address) => {
  expect(() => validateImagePart(part({ url: address }), at, schemes)).toThrow(
    expect.objectContaining({ kind: 'invalid_value' }),
  );
});

test.each(['auto', 'low', 'high'])('accepts the detail %s', (detail) => {
  expect(validateImagePart(part({ url, detail }), at, schemes)).toEqual(part({ url, detail }));
});

test.each<[JsonObject, string, ImageChoices?]>([
  [part({ url }), 'invalid_value', { schemes: ['data'] }],
  [part({ url, detail: null }), 'invalid_value'],
  [{ type: 'image_url' }, 'missing_field'],
  [part(url), 'invalid_value'],
  [part({}), 'missing_field'],
  [part({ url, size: 1 }), 'unknown_field'],
  [{ ...part({ url }), cache: true }, 'unknown_field'],
])('refuses the part %j as %s', (value, kind, choices = schemes) => {
  expect(() => validateImagePart(value, at, choices)).toThrow(expect.objectContaining({ kind }));
});

test('finds the place of the first image', () => {
  const second = { role: 'user', content: [text, image, image] } as const;
  expect(firstImage([{ role: 'user', content: '' }])).toBeUndefined();
  expect(firstImage([{ role: 'system', content: '' }, second])).toEqual(['messages', 1, 'content', 1]);
});
