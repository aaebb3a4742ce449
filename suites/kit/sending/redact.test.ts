import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactorOf } from './redact.ts';

const key = 'sk-canary/Zx+81_é';
const redact = redactorOf({ primary: key });

test('replaces a key by its name, in text and in bytes', () => {
  expect(redact.text(`Bearer ${key}!`)).toBe('Bearer [key:primary]!');
  expect(Buffer.from(redact.bytes(Buffer.from(`Bearer ${key}!`))).toString()).toBe('Bearer [key:primary]!');
});

test('leaves bytes without a key untouched', () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x41]);
  expect(redact.bytes(bytes)).toBe(bytes);
});

test('finds a key inside base64, URL encoding and hexadecimal, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const whole = before + key + after;
      for (const encoded of [
        Buffer.from(whole).toString('base64'),
        Buffer.from(whole).toString('base64url'),
        Buffer.from(whole).toString('hex'),
        Buffer.from(whole).toString('latin1') === whole ? whole : key,
        encodeURIComponent(key),
      ]) {
        expect(redact.text(encoded)).toContain('[key:primary]');
      }
    }),
  );
});
