import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUtf8 } from './deliveries.ts';

test('commutes with JSON.stringify', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.stringify(toUtf8(text))).toBe(toUtf8(JSON.stringify(text)));
    }),
  );
});
