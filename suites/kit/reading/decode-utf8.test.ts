import { expect, test } from 'vitest';
import { decodeUtf8 } from './decode-utf8.ts';

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
