import { expect, test } from 'vitest';
import { shown } from './report-escape.ts';

test('returns text of any script as it is', () => {
  expect(shown('Grüße, 你好, שלום 🙂')).toBe('Grüße, 你好, שלום 🙂');
});

test('returns escapes given terminal control sequences', () => {
  expect(shown('\u001b[2Ja\u009b31m\u0007\r\n\t')).toBe(String.raw`\u001b[2Ja\u009b31m\u0007\r\n\t`);
});

test('returns escapes given what turns the writing direction or shows nothing', () => {
  expect(shown('a\u202eb\u200bc\u2028\u{e0001}')).toBe(String.raw`a\u202eb\u200bc\u2028\udb40\udc01`);
});

test('returns an escape given a lone surrogate', () => {
  expect(shown('a\ud800b')).toBe(String.raw`a\ud800b`);
});

test('returns the beginning and how much is missing given a long text', () => {
  expect(shown('abcdef', 4)).toBe('abcd… (2 characters more)');
});

test('returns JSON that means the same given JSON', () => {
  const value = { text: 'a\u200d\u{e0001}\u001b\u202e' };
  expect(JSON.parse(shown(JSON.stringify(value)))).toEqual(value);
});
