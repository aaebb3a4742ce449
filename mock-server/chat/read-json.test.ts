import { expect, test } from 'vitest';
import { parseJson } from './read-json.ts';

const refused = (kind: string): object => expect.objectContaining({ kind });

test('returns the value given JSON in UTF-8', () => {
  expect(parseJson(Buffer.from('{"text":"žluť 🌿 \\ud800"}'), 4)).toEqual({ text: 'žluť 🌿 \ud800' });
});

test('takes the last of duplicate names', () => {
  expect(parseJson(Buffer.from('{"a":1,"a":2}'), 4)).toEqual({ a: 2 });
});

test.each([
  '',
  ' ',
  '{',
  '{"a":}',
  '[1,]',
  "{'a':1}",
  'undefined',
  '{"a":1}}',
  '\uFEFF{}',
  '"\u0000"',
  'NaN',
])('refuses what is not JSON: %j', (text) => {
  expect(() => parseJson(Buffer.from(text), 4)).toThrow(refused('invalid_json'));
});

test.each([
  ['a lone continuation byte', [0x22, 0x80, 0x22]],
  ['a cut character', [0x22, 0xe2, 0x82, 0x22]],
  ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
])('refuses %s', (_, bytes) => {
  expect(() => parseJson(Buffer.from(bytes), 4)).toThrow(refused('invalid_encoding'));
});

test('accepts as many levels as the limit and refuses one more', () => {
  expect(parseJson(Buffer.from('[[[{}]]]'), 4)).toEqual([[[{}]]]);
  expect(() => parseJson(Buffer.from('[[[{"a":[]}]]]'), 4)).toThrow(refused('json_too_deep'));
});

test('counts no brackets inside strings, escaped quotes or not', () => {
  expect(parseJson(Buffer.from(String.raw`["[[[[[", "\"[[[[[", "\\"]`), 1)).toEqual([
    '[[[[[',
    '"[[[[[',
    '\\',
  ]);
});

test('refuses a million open brackets without recursion', () => {
  expect(() => parseJson(Buffer.alloc(1_000_000, '['), 32)).toThrow(refused('json_too_deep'));
});
