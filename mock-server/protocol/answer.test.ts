import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUtf8 } from './answer.ts';

test('is the UTF-8 bytes of a text, a character for each', () => {
  expect(toUtf8('aé€')).toBe('a\u00c3\u00a9\u00e2\u0082\u00ac');
});

test('commutes with JSON.stringify', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.stringify(toUtf8(text))).toBe(toUtf8(JSON.stringify(text)));
    }),
  );
});
