import { expect, test } from 'vitest';

import { firstImage, validateImagePart } from './image-part.ts';
import type { JsonObject } from '../http/json-object.ts';

const schemes = { schemes: ['data', 'https'] } as const;
const at = ['part'];

const part = (image: unknown): JsonObject => ({ type: 'image_url', image_url: image });

test.each([
  'https://example.com/a.png',
  'HTTPS://EXAMPLE.COM/a.png',
  'data:image/png;base64,iVBORw0KGgo=',
  'DATA:image/JPEG;base64,/9j/4AAQ',
  'data:image/webp;base64,UklGRg==',
  'data:image/gif;base64,R0lGODlh',
])('accepts the URL %s', (url) => {
  expect(validateImagePart(part({ url }), at, schemes)).toEqual(part({ url }));
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
])('refuses the URL %j', (url) => {
  expect(() => validateImagePart(part({ url }), at, schemes)).toThrow(
    expect.objectContaining({ kind: 'invalid_value' }),
  );
});

test('accepts only the schemes that the world has chosen', () => {
  expect(() => validateImagePart(part({ url: 'https://example.com/' }), at, { schemes: ['data'] })).toThrow(
    expect.objectContaining({ kind: 'invalid_value' }),
  );
});

test('accepts the three details and no other', () => {
  const url = 'https://example.com/a.png';
  for (const detail of ['auto', 'low', 'high']) {
    expect(validateImagePart(part({ url, detail }), at, schemes)).toEqual(part({ url, detail }));
  }
  expect(() => validateImagePart(part({ url, detail: null }), at, schemes)).toThrow(
    expect.objectContaining({ kind: 'invalid_value' }),
  );
});

test.each([
  [{ type: 'image_url' }, 'missing_field'],
  [part('https://example.com/a.png'), 'invalid_value'],
  [part({}), 'missing_field'],
  [part({ url: 'https://example.com/', size: 1 }), 'unknown_field'],
  [{ ...part({ url: 'https://example.com/' }), cache: true }, 'unknown_field'],
])('refuses the part %j', (value, kind) => {
  expect(() => validateImagePart(value, at, schemes)).toThrow(expect.objectContaining({ kind }));
});

test('finds the place of the first image', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/' } } as const;
  const text = { type: 'text', text: '' } as const;
  expect(firstImage([{ role: 'user', content: '' }])).toBeUndefined();
  expect(
    firstImage([
      { role: 'system', content: '' },
      { role: 'user', content: [text, image, image] },
    ]),
  ).toEqual(['messages', 1, 'content', 1]);
});
