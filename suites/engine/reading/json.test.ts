import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { answerOf } from './answers.ts';
import { decodeUtf8, readJson, childPointer, valueAt, exactText } from './json.ts';

test.each([
  ['several scripts', new TextEncoder().encode('Grüße, 你好 🙂'), 'Grüße, 你好 🙂'],
  ['a lone continuation byte', Uint8Array.of(0x61, 0x80), undefined],
  ['an overlong form', Uint8Array.of(0xc0, 0xaf), undefined],
  ['a cut character', Uint8Array.of(0xe4, 0xbd), undefined],
])('decodes UTF-8: %s', (_, bytes, text) => {
  expect(decodeUtf8(bytes)).toBe(text);
});

test.each([
  ['{"a":[1]}', { kind: 'json', value: { a: [1] } }],
  ['', { kind: 'no-json', reason: 'an empty body' }],
  ['<html>', { kind: 'no-json', reason: 'a body that is not JSON' }],
  [Uint8Array.of(0x22, 0xff, 0x22), { kind: 'no-json', reason: 'a body that is not UTF-8' }],
])('reads the body %j as %j', (body, reading) => {
  expect(readJson(answerOf(answered({ body })))).toEqual(reading);
});

test('reads an answer once, unless many were read since', () => {
  const sized = (bytes: number) => answerOf(answered({ body: `"${'x'.repeat(bytes - 2)}"` }));
  const small = sized(1000);
  const first = readJson(small);
  expect(readJson(small)).toBe(first);
  for (let i = 0; i < 3; i += 1) readJson(sized(2_000_000));
  expect(readJson(small)).not.toBe(first);
  expect(readJson(small)).toEqual(first);
});

const TWELVE = Array.from({ length: 12 }, (_, index) => index);

test.each([
  [{ choices: [{ 'a/b~c': 7 }] }, '/choices/0/a~1b~0c', 7],
  [[1], '', [1]],
  [{ 'a/b': { '~': 1 } }, childPointer(childPointer('', 'a/b'), '~'), 1],
  [TWELVE, '/11', 11],
  [TWELVE, '/ 1', undefined],
  [TWELVE, '/1 ', undefined],
  [TWELVE, '/x1', undefined],
  [{ a: 1 }, '/b/c', undefined],
  // What objects inherit.
  [{ a: 1 }, '/toString', undefined],
  [[1], '/length', undefined],
])('finds in %j at "%s": %j', (root, pointer, value) => {
  expect(valueAt(root, pointer)).toEqual(value);
});

test.each([
  ['{"id":1844674407370955161}', '1844674407370955161'],
  ['{"id": -12345678901234567}', '-12345678901234567'],
  ['{"x":[0.12345678901234567,1e-12345678901234567],"id":12345678901234567}', '12345678901234567'],
  [String.raw`{"id":"a\": 12345678901234567","n":12345678901234567}`, 'a": 12345678901234567'],
  ['{"id":7}', '7'],
  ['{"id":null}', undefined],
  ['{}', undefined],
  [Uint8Array.of(0x22, 0xff, 0x22), undefined],
])('returns the text or number in %j with every digit: %s', (body, text) => {
  expect(exactText(answerOf(answered({ body })), '/id')).toBe(text);
});
