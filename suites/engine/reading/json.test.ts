import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { answerOf } from './answers.ts';
import { decodeUtf8, readJson, childPointer, valueAt, exactText } from './json.ts';

test('returns the text given UTF-8 of several scripts', () => {
  expect(decodeUtf8(new TextEncoder().encode('Grüße, 你好 🙂'))).toBe('Grüße, 你好 🙂');
});

test('returns undefined given a lone continuation byte', () => {
  expect(decodeUtf8(Uint8Array.of(0x61, 0x80))).toBeUndefined();
});

test('returns undefined given an overlong form and a cut character', () => {
  expect(decodeUtf8(Uint8Array.of(0xc0, 0xaf))).toBeUndefined();
  expect(decodeUtf8(Uint8Array.of(0xe4, 0xbd))).toBeUndefined();
});

test('returns the value given a JSON body', () => {
  expect(readJson(answerOf(answered({ body: '{"a":[1]}' })))).toEqual({ kind: 'json', value: { a: [1] } });
});

test('returns the same reading given the same answer again', () => {
  const answer = answerOf(answered({ body: '{}' }));
  expect(readJson(answer)).toBe(readJson(answer));
});

test('says why given an empty body, a body that is no JSON, and one that is not UTF-8', () => {
  const bodies = ['', '<html>', Uint8Array.of(0x22, 0xff, 0x22)];
  const reasons = bodies.map((body) => readJson(answerOf(answered({ body }))));
  expect(reasons).toEqual([
    { kind: 'no-json', reason: 'an empty body' },
    { kind: 'no-json', reason: 'a body that is not JSON' },
    { kind: 'no-json', reason: 'a body that is not UTF-8' },
  ]);
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

test('returns the member given a pointer through objects and arrays', () => {
  expect(valueAt({ choices: [{ 'a/b~c': 7 }] }, '/choices/0/a~1b~0c')).toBe(7);
});

test('returns the whole given the empty pointer', () => {
  expect(valueAt([1], '')).toEqual([1]);
});

test('returns undefined given a pointer to nothing, or to what objects inherit', () => {
  expect(valueAt({ a: 1 }, '/b/c')).toBeUndefined();
  expect(valueAt({ a: 1 }, '/toString')).toBeUndefined();
  expect(valueAt([1], '/length')).toBeUndefined();
});

test('returns a pointer that leads back given names that need escaping', () => {
  const pointer = childPointer(childPointer('', 'a/b'), '~');
  expect([pointer, valueAt({ 'a/b': { '~': 1 } }, pointer)]).toEqual(['/a~1b/~0', 1]);
});

test('knows elements by their index in plain digits alone', () => {
  const list = Array.from({ length: 12 }, (_, index) => index);
  expect([valueAt(list, '/11'), valueAt(list, '/ 1'), valueAt(list, '/1 '), valueAt(list, '/x1')]).toEqual([
    11,
    undefined,
    undefined,
    undefined,
  ]);
});

const text = (body: string, pointer = '/id') => exactText(answerOf(answered({ body })), pointer);

test('returns every digit given a number that no double holds', () => {
  expect(text('{"id":1844674407370955161}')).toBe('1844674407370955161');
  expect(text('{"id": -12345678901234567}')).toBe('-12345678901234567');
  expect(text('{"x":[0.12345678901234567,1e-12345678901234567],"id":12345678901234567}')).toBe(
    '12345678901234567',
  );
});

test('returns a text as it is given digits and quotes inside', () => {
  expect(text(String.raw`{"id":"a\": 12345678901234567","n":12345678901234567}`)).toBe(
    'a": 12345678901234567',
  );
});

test('returns undefined given what is no UTF-8', () => {
  expect(exactText(answerOf(answered({ body: Uint8Array.of(0x22, 0xff, 0x22) })), '')).toBeUndefined();
});

test('returns a small number as text, and undefined given anything else', () => {
  expect([text('{"id":7}'), text('{"id":null}'), text('{}')]).toEqual(['7', undefined, undefined]);
});
