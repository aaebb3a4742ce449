import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  KEYS_IN_ADDRESSES,
  KEYS_IN_HEADERS,
  NEAR_MISS_KEYS,
} from '../../../fixtures/credentials/wrong-credentials.ts';
import { request } from '../model/exchange-schema.ts';
import type { Credential } from '../model/exchange.ts';
import { recorded } from './journal-line.ts';

const REQUEST = { method: 'POST', path: '/chat/completions', headers: {} };

/** What a journal makes of a request with this credential and body, and the text that it writes. */
function writtenAndRead(credential: Credential, body?: Uint8Array) {
  const text = JSON.stringify(recorded({ ...REQUEST, credential, body }));
  return { text, ...request.parse(JSON.parse(text)) };
}

test('returns the very bytes, through JSON, given any', () => {
  const any = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(any, (bytes) => {
      expect([...(writtenAndRead({ kind: 'none' }, bytes).body ?? [])]).toEqual([...bytes]);
    }),
  );
});

test('writes text given text, a byte order mark included', () => {
  expect(recorded(Buffer.from('\ufeffé'))).toEqual({ text: '\ufeffé' });
  expect(recorded(Buffer.from([0xff]))).toEqual({ base64: '/w==' });
});

const KEY = 'sk-Live-0123456789abcdefGHIJ';

test('returns a header that is the same, or lost, and holds no part of the key, given any near miss', () => {
  const lost: string[] = [];
  for (const key of [...NEAR_MISS_KEYS, ...KEYS_IN_HEADERS, ...KEYS_IN_ADDRESSES]) {
    const { label, header } = key;
    const { text, credential } = writtenAndRead({ kind: 'forged', ...key });
    for (let i = 0; i + 5 <= KEY.length; i += 1) expect(text).not.toContain(KEY.slice(i, i + 5));
    if (credential.kind !== 'forged') throw new Error(`${label} is no forged credential any more`);
    expect(credential.elsewhere).toEqual('elsewhere' in key ? key.elsewhere : undefined);
    const isGone = credential.header('') === `<${label}>`;
    if (isGone) lost.push(label);
    expect(isGone ? header(KEY) : credential.header(KEY)).toBe(header(KEY));
  }
  expect(lost).toContain('the first half of the key');
  expect(lost).not.toContain('the key twice in a row');
});

test.each<Credential>([{ kind: 'key', name: 'second' }, { kind: 'none' }])(
  'returns the credential %j',
  (given) => {
    expect(writtenAndRead(given).credential).toEqual(given);
  },
);
