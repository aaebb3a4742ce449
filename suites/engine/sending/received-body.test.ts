import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ReceivedBody } from './received-body.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('keeps every byte and every piece of a short body', () => {
  const body = new ReceivedBody(8);
  for (const [i, text] of ['ab', 'cde', 'fgh'].entries()) body.add(Buffer.from(text), i);
  const pieces = [
    { at: 0, upTo: 2 },
    { at: 1, upTo: 5 },
    { at: 2, upTo: 8 },
  ];
  expect(body.read()).toEqual({ body: Buffer.from('abcdefgh'), pieces });
});

test.each([1, 3, 7, 8, 9, 30])(
  'counts and hashes all, and keeps the beginning, given pieces of %i',
  (size) => {
    const sent = Buffer.from('a body of more bytes than kept');
    const body = new ReceivedBody(8);
    for (let at = 0; at < sent.length; at += size) body.add(sent.subarray(at, at + size), at);
    const { body: kept, whole } = body.read();
    expect(Buffer.from(kept).toString()).toBe('a body o');
    expect(whole).toEqual({ bytes: sent.length, sha256: sha256(sent) });
  },
);

test('cuts no character in the middle', () => {
  for (const text of ['aé', 'a€', 'a😀']) {
    const sent = Buffer.from(`${text}more`);
    for (let most = 2; most < Buffer.byteLength(text); most += 1) {
      const body = new ReceivedBody(most);
      body.add(sent, 0);
      expect(Buffer.from(body.read().body).toString()).toBe('a');
    }
  }
});
