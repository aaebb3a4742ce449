import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  KEYS_IN_ADDRESSES,
  KEYS_IN_HEADERS,
  NEAR_MISS_KEYS,
} from '../../../fixtures/credentials/wrong-credentials.ts';
import { bytesFrom, recordBytes, credentialFrom, recordCredential } from './codecs.ts';

test('returns the very bytes, through JSON, given any', () => {
  const any = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(any, (bytes) => {
      expect([...bytesFrom(JSON.parse(JSON.stringify(recordBytes(bytes))))]).toEqual([...bytes]);
    }),
  );
});

test('returns text given text, a byte order mark included', () => {
  expect(recordBytes(Buffer.from('\ufeffé'))).toEqual({ text: '\ufeffé' });
  expect(recordBytes(Buffer.from([0xff]))).toEqual({ base64: '/w==' });
});

const KEY = 'sk-Live-0123456789abcdefGHIJ';

test('returns a header that is the same, or lost, and holds no part of the key, given any near miss', () => {
  const lost: string[] = [];
  for (const key of [...NEAR_MISS_KEYS, ...KEYS_IN_HEADERS, ...KEYS_IN_ADDRESSES]) {
    const { label, header } = key;
    const recorded = recordCredential({ kind: 'forged', ...key });
    const text = JSON.stringify(recorded);
    for (let i = 0; i + 5 <= KEY.length; i += 1) expect(text).not.toContain(KEY.slice(i, i + 5));
    const again = credentialFrom(JSON.parse(text));
    const elsewhere = 'elsewhere' in key ? key.elsewhere : undefined;
    expect('elsewhere' in again ? again.elsewhere : undefined).toEqual(elsewhere);
    const isGone = again.kind !== 'forged' || again.header('') === `<${label}>`;
    if (isGone) lost.push(label);
    expect(isGone ? header(KEY) : again.header(KEY)).toBe(header(KEY));
  }
  expect(lost).toContain('the first half of the key');
  expect(lost).not.toContain('the key twice in a row');
});

test('returns the same credential given a named key or none', () => {
  expect(credentialFrom(recordCredential({ kind: 'key', name: 'second' }))).toEqual({
    kind: 'key',
    name: 'second',
  });
  expect(credentialFrom(recordCredential({ kind: 'none' }))).toEqual({ kind: 'none' });
});
