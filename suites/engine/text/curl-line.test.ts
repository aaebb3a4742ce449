import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type KeyPlace, NEAR_MISS_KEYS } from '../../../fixtures/credentials/wrong-credentials.ts';
import { PRIMARY, type SentRequest } from '../model/exchange.ts';
import { curlLine, type SentTo, unmadeKey } from './curl-line.ts';

const base = 'http://127.0.0.1:1/v1';
const KEY = '7f3f0a52-93d6-4d0c-8a43-5a1f4d9a1f00';
const chat: SentRequest = {
  method: 'POST',
  path: '/chat/completions',
  headers: { 'content-type': 'application/json', 'idempotency-key': KEY },
  credential: PRIMARY,
  body: Buffer.from(`{"model":"it's"}`),
};

function lineOf(request: SentRequest, headers: readonly string[] = []): string {
  return curlLine({ baseUrl: base, headers }, { request });
}

test('sends the same bytes with the key from the environment and a literal idempotency key that was not used', () => {
  const line = lineOf(chat);
  const [, key = ''] = /Idempotency-Key: ([\da-f-]{36})'/.exec(line) ?? [];
  expect(key).not.toBe(KEY);
  expect(line.replace(key, '<key>')).toBe(
    [
      `curl -sS -X POST 'http://127.0.0.1:1/v1/chat/completions' -H "Authorization: Bearer $CHAT_API_KEY"`,
      String.raw`-H 'content-type: application/json' -H 'Idempotency-Key: <key>' --data-raw '{"model":"it'\''s"}'`,
    ].join(' '),
  );
  expect(lineOf(chat)).toBe(line);
});

test('keeps the kind of idempotency keys: equal ones equal, and alike those that differ in case, or are no UUID', () => {
  const keyed = (key: string) =>
    /Idempotency-Key: [^']+/.exec(lineOf({ ...chat, headers: { 'idempotency-key': key } }))?.[0];
  expect(keyed('order 1')).toMatch(/^Idempotency-Key: order 1-[\da-f]{8}$/);
  expect(keyed('order-a')).toBe(keyed('order-a'));
  expect(keyed('order-A')).toBe(keyed('order-a')?.replace('order-a', 'order-A'));
});

test('asks for no body of a HEAD, which curl would wait for', () => {
  expect(curlLine({ baseUrl: base, headers: [] }, { request: { ...GET.request, method: 'HEAD' } })).toBe(
    "curl -sS --head 'http://127.0.0.1:1/v1/models'",
  );
});

const GET = {
  request: { method: 'GET', path: '/models', headers: {}, credential: { kind: 'none' }, body: undefined },
} as const;

test.each<[NonNullable<SentTo['way']>, string]>([
  [
    { ca: "it's.pem", cert: { file: 'C:\\me.pem' } },
    String.raw`--cacert 'it'\''s.pem' --cert 'C\:'"\\"'\me.pem'`,
  ],
  [{ cert: { file: 'a.pem' }, certKey: 'a.key' }, "--cert 'a.pem' --key 'a.key'"],
])('uses the files of the run for TLS: %j', (way, words) => {
  const line = curlLine({ baseUrl: 'https://h.example/v1', headers: [], way }, GET);
  expect(line).toBe(`curl -sS ${words} 'https://h.example/v1/models'`);
});

test.each([
  ['bytes that are no text', Buffer.from([0xff, 0x22])],
  ['a text that a report shows with escapes', Buffer.from('"a\nb"')],
])('passes %s through base64', (_, body) => {
  const line = lineOf({ ...chat, body });
  expect(line).toMatch(/^printf %s \S+ \| base64 -d \| curl .* --data-binary @-$/);
  expect(line).toContain(`printf %s ${body.toString('base64')} `);
});

test('lets the shell forge a header from the variable, and names what it cannot forge', () => {
  const forged = (header: (key: string) => string) =>
    lineOf({ ...chat, credential: { kind: 'forged', label: 'half the key', header } });
  expect(forged((key) => `Basic ${key}`)).toContain(`-H 'Authorization: Basic '"$CHAT_API_KEY" `);
  expect(forged((key) => `Bearer ${key}!`)).toContain(`-H 'Authorization: Bearer '"$CHAT_API_KEY"'!' `);
  expect(forged((key) => `Bearer ${key.slice(0, 4)}`)).toContain("-H 'Authorization: <half the key>'");
  expect(forged((key) => `Bearer ${key.toUpperCase()}`)).toContain("-H 'Authorization: <half the key>'");
  expect(forged(() => 'Bearer unknown')).toContain("-H 'Authorization: Bearer unknown'");
});

test('says which key a shell cannot make', () => {
  const header = (key: string) => `Bearer ${key.slice(0, 4)}`;
  expect(unmadeKey({ kind: 'forged', label: 'half the key', header })).toContain(
    'in place of <half the key>',
  );
  expect(unmadeKey({ kind: 'forged', label: 'a key', header: (key) => `Basic ${key}` })).toBeUndefined();
});

test('puts the variable where the key stood, given a key that is not in the Authorization header', () => {
  const header = (key: string) => `k=${key}`;
  const elsewhereLine = (elsewhere: KeyPlace) =>
    lineOf({ ...chat, credential: { kind: 'forged', label: 'the key elsewhere', header, elsewhere } });
  expect(elsewhereLine({ header: 'cookie' })).toContain(
    `'${base}/chat/completions' -H 'cookie: k='"$CHAT_API_KEY" -H 'content-type`,
  );
  expect(elsewhereLine({ query: 'key' })).toContain(
    `'${base}/chat/completions''?key=k='"$CHAT_API_KEY" -H 'content-type`,
  );
  expect(elsewhereLine({ query: 'key' })).not.toContain('Authorization');
});

test('takes each secret from where the run had it', () => {
  const secrets = {
    'keys.primary': { env: 'STAGING_KEY' },
    'keys.second': { file: "it's/a key" },
    'keys.unscoped': { env: 'STAGING-KEY' },
    'headers.x-gate': { file: '.gate' },
  };
  const lineBy = (request: SentRequest) =>
    curlLine({ baseUrl: base, headers: ['x-gate', 'x-team'], secrets }, { request });
  expect(lineBy(chat)).toContain('-H "Authorization: Bearer $STAGING_KEY" ');
  expect(lineBy(chat)).toContain('-H "x-gate: $(cat .gate)" -H "x-team: $X_TEAM" ');
  const keyed = (name: 'second' | 'unscoped') => lineBy({ ...chat, credential: { kind: 'key', name } });
  expect(keyed('second')).toContain(String.raw`-H "Authorization: Bearer $(cat 'it'\''s/a key')" `);
  expect(keyed('unscoped')).toContain(`-H "Authorization: Bearer $(printenv 'STAGING-KEY')" `);
});

test('quotes the method and the names of headers where a shell reads more than words in them', () => {
  const awkward = { ...chat, method: 'GET&id&', path: '/models?q=[1-5]{a,b}' };
  expect(lineOf(awkward, ['x`id`$a'])).toMatch(
    /^curl -sS -X 'GET&id&' --globoff 'http:\S+' .*-H 'x`id`\$a: '"\$X_ID__A" /,
  );
});

const AWKWARD = String.raw`{"a":"it's \\ \" \n $HOME $(id) ${'`'}id${'`'} !x \\'","b":"\\\\'"}` + '\\\\\\';

/** Those of the usual shells that this machine has. */
const SHELLS = ['sh', 'bash', 'zsh', 'dash', 'fish', 'ksh'].filter(
  (shell) => spawnSync(shell, ['-c', ':']).status === 0,
);

const ENV = { ...process.env, CHAT_API_KEY: 'Key-1x9', X_SESSION: 's-1' };

const MADE = NEAR_MISS_KEYS.filter((near) => unmadeKey({ kind: 'forged', ...near }) === undefined);

test.each(SHELLS)('makes most near misses of a key from the key in %s', (shell) => {
  expect(MADE.length).toBeGreaterThan(20);
  const lines = MADE.map((near) => lineOf({ ...chat, credential: { kind: 'forged', ...near } }));
  const script = lines.map((line) => line.replace('curl ', String.raw`printf '%s\n' `)).join('\n');
  const words = execFileSync(shell, ['-c', script], { env: ENV, encoding: 'utf8' }).split('\n');
  const made = words.filter((word) => word.startsWith('Authorization: '));
  expect(made).toEqual(MADE.map(({ header }) => `Authorization: ${header('Key-1x9')}`));
});

test.each(SHELLS)('means the same bytes in %s, whatever they are', (shell) => {
  const line = lineOf({ ...chat, body: Buffer.from(AWKWARD) }, ['x-session']);
  const print = line.replace('curl ', String.raw`printf '%s\0' `);
  const words = execFileSync(shell, ['-c', print], { env: ENV, encoding: 'utf8' }).split('\0');
  expect(words).toEqual(
    expect.arrayContaining(['Authorization: Bearer Key-1x9', 'x-session: s-1', '--data-raw', AWKWARD]),
  );
});
