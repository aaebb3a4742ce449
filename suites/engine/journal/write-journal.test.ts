import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  KEYS_IN_ADDRESSES,
  KEYS_IN_HEADERS,
  NEAR_MISS_KEYS,
} from '../../../fixtures/credentials/wrong-credentials.ts';
import { chatDraft } from '../inputs/provoking/chat-drafts.ts';
import { request } from '../model/exchange-schema.ts';
import type { Credential } from '../model/exchange.ts';
import { sentRequest } from '../sending/sent-request.ts';
import { sentEntry } from './entries.ts';
import { journalOn, recorded } from './write-journal.ts';

const SENT = sentEntry('a/0/0', sentRequest(chatDraft({ content: 'Hello.' })));

function opened(file: string) {
  const fd = openSync(file, 'a');
  onTestFinished(() => closeSync(fd));
  return journalOn(fd, { file, isDurable: true });
}

test('has written a line when append returns, and says so given a file that was removed meanwhile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.ndjson');
  const journal = opened(file);
  journal.append(SENT);
  expect(readFileSync(file, 'utf8')).toMatch(/^\{"type":"sent","id":"a\/0\/0".*Hello\..*\}\n$/);
  expect(journal.failure()).toBeUndefined();
  rmSync(folder, { recursive: true });
  journal.append(SENT);
  expect(journal.failure()).toBe(`the journal ${file} was removed`);
});

test('says which file and why, and keeps it, given a full disk', () => {
  const journal = opened('/dev/full');
  journal.append(SENT);
  expect(journal.failure()).toBe('the journal /dev/full cannot be written (ENOSPC)');
  journal.append({ type: 'finished', durationMs: 1, cutShort: [] });
  expect(journal.failure()).toContain('ENOSPC');
});

/** What a journal makes of a request with this credential and body, and the text that it writes. */
function writtenAndRead(credential: Credential, body?: Uint8Array) {
  const sent = { method: 'POST', path: '/chat/completions', headers: {}, credential, body };
  const text = JSON.stringify(recorded(sent));
  return { text, ...request.parse(JSON.parse(text)) };
}

test('returns the very bytes, through JSON, given any', () => {
  const any = fc.oneof(
    fc.uint8Array(),
    fc.array(fc.nat(0x10_ff_ff)).map((points) => Buffer.from(String.fromCodePoint(...points))),
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
  expect(lost).not.toContain('the key and one character more');
  const others = [{ kind: 'key', name: 'second' }, { kind: 'none' }] as const;
  expect(others.map((other) => writtenAndRead(other).credential)).toEqual(others);
});
