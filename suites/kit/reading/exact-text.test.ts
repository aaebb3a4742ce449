import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { answerOf } from './answer-of.ts';
import { exactText } from './exact-text.ts';

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
