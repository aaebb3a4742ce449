import { expect, test } from 'vitest';
import type { KeyPlace } from '../../../fixtures/credentials/wrong-credentials.ts';
import { PRIMARY, type SentRequest } from '../model/exchange.ts';
import { curlLine } from './curl-line.ts';

const base = 'http://127.0.0.1:1/v1';
const chat: SentRequest = {
  method: 'POST',
  path: '/chat/completions',
  headers: { 'content-type': 'application/json', 'idempotency-key': 'abc' },
  credential: PRIMARY,
  body: Buffer.from(`{"model":"it's"}`),
};

test('sends the same bytes with the key from the environment and a fresh idempotency key', () => {
  expect(curlLine(base, chat)).toBe(
    [
      `curl -sS -X POST 'http://127.0.0.1:1/v1/chat/completions' -H "Authorization: Bearer $CHAT_API_KEY"`,
      String.raw`-H 'content-type: application/json' -H "Idempotency-Key: $(uuidgen)" --data-raw '{"model":"it'\''s"}'`,
    ].join(' '),
  );
});

test('passes bytes that are no text through base64', () => {
  const line = curlLine(base, { ...chat, body: Buffer.from([0xff, 0x22]) });
  expect(line).toMatch(/^printf %s \/yI= \| base64 -d \| curl .* --data-binary @-$/);
});

test('lets the shell forge a header from the variable, and names what it cannot forge', () => {
  const forged = (header: (key: string) => string) =>
    curlLine(base, { ...chat, credential: { kind: 'forged', label: 'half the key', header } });
  expect(forged((key) => `Basic ${key}`)).toContain('-H "Authorization: Basic ${CHAT_API_KEY}"');
  expect(forged((key) => `Bearer ${key.slice(0, 4)}`)).toContain("-H 'Authorization: <half the key>'");
  expect(forged((key) => `Bearer ${key.toUpperCase()}`)).toContain("-H 'Authorization: <half the key>'");
  expect(forged(() => 'Bearer unknown')).toContain("-H 'Authorization: Bearer unknown'");
});

test('puts the variable where the key stood, given a key that is not in the Authorization header', () => {
  const header = (key: string) => `k=${key}`;
  const lineOf = (elsewhere: KeyPlace) =>
    curlLine(base, {
      ...chat,
      credential: { kind: 'forged', label: 'the key elsewhere', header, elsewhere },
    });
  expect(lineOf({ header: 'cookie' })).toContain(
    `'${base}/chat/completions' -H "cookie: k=\${CHAT_API_KEY}" -H 'content-type`,
  );
  expect(lineOf({ query: 'key' })).toContain(
    `'${base}/chat/completions'"?key=k=\${CHAT_API_KEY}" -H 'content-type`,
  );
  expect(lineOf({ query: 'key' })).not.toContain('Authorization');
});
