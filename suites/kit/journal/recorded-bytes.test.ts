import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, recordBytes } from './recorded-bytes.ts';

test('returns the very bytes, through JSON, given any', () => {
  const any = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(any, (bytes) => {
      expect([...bytesOf(JSON.parse(JSON.stringify(recordBytes(bytes))))]).toEqual([...bytes]);
    }),
  );
});

test('returns text given text, a byte order mark included', () => {
  expect(recordBytes(Buffer.from('\ufeffé'))).toEqual({ text: '\ufeffé' });
  expect(recordBytes(Buffer.from([0xff]))).toEqual({ base64: '/w==' });
});
