import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { cutIntoPieces } from './pieces.ts';
import { toUtf8 } from './utf8.ts';

test('cuts a text into pieces that make it up, none empty, no character split', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const pieces = cutIntoPieces(toUtf8(text)).map((piece) => Buffer.from(piece, 'latin1').toString());
      expect(pieces.join('')).toBe(text);
      expect(pieces).not.toContain('');
    }),
  );
});
