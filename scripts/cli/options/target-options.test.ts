import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, afterAll } from 'vitest';
import { headers, secret, type HeaderSource, type SecretSource } from './secret-kinds.ts';
import { baseUrlOf, resolveControl, extraHeaders, readKeys, resolveTarget } from './target-options.ts';

test('returns the base URL without its last slash given one that ends in /v1', () => {
  expect(baseUrlOf('http://127.0.0.1:8080/v1')).toBe('http://127.0.0.1:8080/v1');
  expect(baseUrlOf('https://host.example/chat/v1/')).toBe('https://host.example/chat/v1');
});

test.each([
  ['unix:/run/chat.sock:/v1', 'must begin with http:// or https://, not unix:'],
  ['host.example', 'is not a URL'],
  ['ftp://host.example/v1', 'must begin with http:// or https://'],
  ['https://host.example', 'did you mean https://host.example/v1?'],
  ['https://host.example/v1/models', 'must end in the version segment'],
  ['https://host.example/xv1', 'must end in the version segment'],
  ['https://host.example/v1?key=1', 'query or a fragment'],
  ['http://127.0.0.1:0/v1', 'must not have port 0: {port}, there and in --start, is a free one'],
])('throws given %s', (text, message) => {
  expect(() => baseUrlOf(text)).toThrow(message);
});

test('throws without naming the password given a URL with credentials', () => {
  expect(() => baseUrlOf('https://me:hunter2@host.example/v1')).toThrow(/^(?!.*hunter2).*credentials/);
});

const baseUrl = 'http://127.0.0.1:1/v1';

test('returns the URL without a slash at its end, and the token', () => {
  const flags = { baseUrl, controlUrl: 'https://staging.example/control/' };
  expect(resolveControl(flags, {})).toEqual({ url: 'https://staging.example/control' });
  expect(resolveControl(flags, { CHAT_CONTROL_TOKEN: ' control-t0ken ' })).toEqual({
    url: 'https://staging.example/control',
    token: 'control-t0ken',
  });
});

test('returns nothing without a URL, whatever the token', () => {
  expect(resolveControl({ baseUrl }, { CHAT_CONTROL_TOKEN: 'control-t0ken' })).toBeUndefined();
});

test.each([
  ['control', 'is not a URL'],
  ['ftp://host.example/control', 'must begin with http:// or https://'],
  ['https://host.example/control?token=hunter2', 'query'],
  ['https://host.example/control#x', 'fragment'],
  ['https://me:hunter2@host.example/control', 'credentials'],
])('refuses %s', (controlUrl, message) => {
  expect(() => resolveControl({ baseUrl, controlUrl }, {})).toThrow(message);
  expect(() => resolveControl({ baseUrl, controlUrl }, {})).not.toThrow('hunter2');
});

test('refuses a control URL without a target, and a token that no header can carry', async () => {
  const flags = { baseUrl, controlUrl: 'https://host.example/control' };
  const alone = resolveTarget({ controlUrl: flags.controlUrl }, {});
  await expect(alone).rejects.toThrow('requires --base-url');
  const environment = { CHAT_CONTROL_TOKEN: 'a b' };
  expect(() => resolveControl(flags, environment)).toThrow('CHAT_CONTROL_TOKEN must contain one key');
});

/** As the command line gives them. */
function given(...words: readonly string[]): readonly HeaderSource[] {
  return words.reduce<readonly HeaderSource[]>((before, word) => headers.parse(word, before), []);
}

test('returns lower-case names and trimmed values given headers', () => {
  expect(extraHeaders({ header: given('X-Tenant: blue', 'x-trace:a:b') }, {})).toEqual({
    'x-tenant': 'blue',
    'x-trace': 'a:b',
  });
});

test.each([
  ['Authorization: Bearer abc', '--header authorization: the runner sets this header itself'],
  ['Idempotency-Key: 1', '--header idempotency-key: the runner sets this header itself'],
  ['content-length:1', '--header content-length: the runner sets this header itself'],
  ['HOST:example', '--header host: the runner sets this header itself'],
  ['Accept-Encoding: gzip', '--header accept-encoding: the runner sets this header itself'],
  [
    'X-Auth-Token: hunter2',
    '--header x-auth-token: a secret is never given as text: give --header x-auth-token:@FILE',
  ],
  ['x-team: Bearer hunter2', '--header x-team: a secret is never given as text'],
  ['no colon', 'must have the form NAME:VALUE'],
  [': value', 'must have the form NAME:VALUE'],
  ['x-empty:', 'must have a value'],
  ['x-split: a\r\nb: c', 'must have a value'],
])('throws given %j', (text, message) => {
  expect(() => extraHeaders({ header: given(text) }, {})).toThrow(message);
});

test('returns the content of a file without its last line end given NAME:@FILE', () => {
  const file = join(folder, 'header.txt');
  writeFileSync(file, 'gateway-s3cret\n');
  expect(extraHeaders({ header: given(`X-Gateway: @${file}`) }, {})).toEqual({
    'x-gateway': 'gateway-s3cret',
  });
});

test('throws without showing it given a file that no header can carry, or that is not there', () => {
  const file = join(folder, 'two-lines.txt');
  writeFileSync(file, 'hunter2\nhunter3\n');
  expect(() => extraHeaders({ header: given(`x-a:@${file}`) }, {})).toThrow(
    /^--header x-a must have a value(?!.*hunter)/,
  );
  expect(() => extraHeaders({ header: given('x-a:@/nowhere/a') }, {})).toThrow(
    'cannot read --header x-a:@/nowhere/a',
  );
});

test('returns the header of the command line given one of the same name in the configuration', () => {
  const configured = [
    { name: 'x-a', value: 'configured', said: 'a.json#/headers/x-a' },
    { name: 'x-b', value: { from: { env: 'B' }, said: 'B' }, said: 'a.json#/headers/x-b' },
  ];
  expect(
    extraHeaders({ header: [...configured, ...given('X-A: given')], given: {} }, { B: 'from-env' }),
  ).toEqual({
    'x-a': 'given',
    'x-b': 'from-env',
  });
  expect(() => extraHeaders({ header: configured }, {})).toThrow('B is not set');
});

test('throws given a header twice', () => {
  expect(() => extraHeaders({ header: given('x-a:1', 'X-A:2') }, {})).toThrow('x-a is given twice');
});

const folder = mkdtempSync(join(tmpdir(), 'read-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

function keyFile(text: string): SecretSource {
  const file = join(folder, `${text.length}.txt`);
  writeFileSync(file, text);
  return secret('--api-key-file').parse(file);
}

const NAMED = { from: { env: 'STAGING_KEY' }, said: 'STAGING_KEY (a.json#/keys/primary)' };
const THREE = {
  apiKeyFile: keyFile('first-of-all'),
  secondApiKeyFile: keyFile('second-of-all'),
  unscopedApiKeyFile: keyFile('third-of-them-all'),
  controlTokenFile: keyFile('the-control-token-of-all'),
};

test.each<[string, Parameters<typeof readKeys>[0], Readonly<Record<string, string>>, object]>([
  [
    'the environment',
    {},
    { CHAT_API_KEY: 'a-key-of-its-own', CHAT_UNSCOPED_API_KEY: 'another-key', CHAT_SECOND_API_KEY: '' },
    { primary: 'a-key-of-its-own', unscoped: 'another-key' },
  ],
  ['a file first', { apiKeyFile: keyFile('from-file\n') }, { CHAT_API_KEY: 'a' }, { primary: 'from-file' }],
  [
    'a file each',
    THREE,
    { CHAT_SECOND_API_KEY: 'of-the-environment' },
    { primary: 'first-of-all', second: 'second-of-all', unscoped: 'third-of-them-all' },
  ],
  [
    'the configuration',
    { apiKeyFile: NAMED },
    { STAGING_KEY: 'of-staging', CHAT_API_KEY: 'of-something-else' },
    { primary: 'of-staging' },
  ],
])('returns the keys that it finds in %s', (_, flags, environment, keys) => {
  expect(readKeys(flags, environment)).toEqual(keys);
});

test('returns the control token of its file', () => {
  const controlled = { ...THREE, baseUrl, controlUrl: 'https://host.example/control' };
  expect(resolveControl(controlled, {})).toMatchObject({ token: 'the-control-token-of-all' });
});

test.each<[string, Parameters<typeof readKeys>[0], Readonly<Record<string, string>>, string | RegExp]>([
  ['one that is missing', { apiKeyFile: NAMED }, { CHAT_API_KEY: 'other' }, `${NAMED.said} is not`],
  ['no key', {}, { CHAT_API_KEY: 'top secret' }, /^CHAT_API_KEY must contain one key(?!.*secret)/],
  ['two lines', { apiKeyFile: keyFile('one\ntwo\n') }, {}, 'must contain one key'],
  ['an empty file', { apiKeyFile: keyFile('') }, {}, 'must contain one key'],
  ['nothing at all', {}, {}, 'set CHAT_API_KEY'],
  [
    'a file that is not there',
    { apiKeyFile: secret('--api-key-file').parse('/nowhere/a') },
    {},
    'cannot read --api-key-file',
  ],
  ['one so short that it is like a word', {}, { CHAT_API_KEY: 'short' }, 'at least 8 printable'],
])('throws, without showing it, given %s in place of a key', (_, flags, environment, message) => {
  expect(() => readKeys(flags, environment)).toThrow(message);
});
