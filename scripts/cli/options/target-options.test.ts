import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, afterAll } from 'vitest';
import { baseUrlOf, resolveControl, extraHeaders, readKeys } from './target-options.ts';

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

test('refuses a URL without a target, and a token that no header can carry', () => {
  const controlUrl = 'https://host.example/control';
  expect(() => resolveControl({ controlUrl }, {})).toThrow('requires --base-url');
  const flags = { baseUrl, controlUrl };
  expect(() => resolveControl(flags, { CHAT_CONTROL_TOKEN: 'a b' })).toThrow(
    'CHAT_CONTROL_TOKEN must contain one key',
  );
});

test('returns lower-case names and trimmed values given headers', () => {
  expect(extraHeaders({ header: ['X-Tenant: blue', 'x-trace:a:b'] }, {})).toEqual({
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
  expect(() => extraHeaders({ header: [text] }, {})).toThrow(message);
});

test('returns the content of a file without its last line end given NAME:@FILE', () => {
  const file = join(folder, 'header.txt');
  writeFileSync(file, 'gateway-s3cret\n');
  expect(extraHeaders({ header: [`X-Gateway: @${file}`] }, {})).toEqual({ 'x-gateway': 'gateway-s3cret' });
});

test('throws without showing it given a file that no header can carry, or that is not there', () => {
  const file = join(folder, 'two-lines.txt');
  writeFileSync(file, 'hunter2\nhunter3\n');
  expect(() => extraHeaders({ header: [`x-a:@${file}`] }, {})).toThrow(
    /^--header x-a must have a value(?!.*hunter)/,
  );
  expect(() => extraHeaders({ header: ['x-a:@/nowhere/a'] }, {})).toThrow(
    'cannot read --header x-a:@/nowhere/a',
  );
});

test('returns the header of the command line given one of the same name in the configuration', () => {
  const headers = [
    { name: 'x-a', value: 'configured', said: 'a.json#/headers/x-a' },
    { name: 'x-b', value: { from: { env: 'B' }, said: 'B' }, said: 'a.json#/headers/x-b' },
  ];
  expect(extraHeaders({ header: ['X-A: given'], headers }, { B: 'from-env' })).toEqual({
    'x-a': 'given',
    'x-b': 'from-env',
  });
  expect(() => extraHeaders({ headers }, {})).toThrow('B is not set');
});

test('throws given a header twice', () => {
  expect(() => extraHeaders({ header: ['x-a:1', 'X-A:2'] }, {})).toThrow('x-a is given twice');
});

const folder = mkdtempSync(join(tmpdir(), 'read-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

function keyFile(text: string): string {
  const file = join(folder, `${text.length}.txt`);
  writeFileSync(file, text);
  return file;
}

test('returns every key that the environment holds', () => {
  expect(
    readKeys(
      {},
      {
        CHAT_API_KEY: 'a-key-of-its-own',
        CHAT_UNSCOPED_API_KEY: 'c-key-of-its-own',
        CHAT_SECOND_API_KEY: '',
      },
    ),
  ).toEqual({
    primary: 'a-key-of-its-own',
    unscoped: 'c-key-of-its-own',
  });
});

test('returns the key of the file given both a file and the environment', () => {
  expect(readKeys({ apiKeyFile: keyFile('from-file\n') }, { CHAT_API_KEY: 'a' })).toEqual({
    primary: 'from-file',
  });
});

test('returns every key and the token of their files', () => {
  const flags = {
    apiKeyFile: keyFile('first-of-all'),
    secondApiKeyFile: keyFile('second-of-all'),
    unscopedApiKeyFile: keyFile('third-of-them-all'),
    controlTokenFile: keyFile('the-control-token-of-all'),
  };
  expect(readKeys(flags, { CHAT_SECOND_API_KEY: 'of-the-environment' })).toEqual({
    primary: 'first-of-all',
    second: 'second-of-all',
    unscoped: 'third-of-them-all',
  });
  const controlled = { ...flags, baseUrl, controlUrl: 'https://host.example/control' };
  expect(resolveControl(controlled, {})).toMatchObject({ token: 'the-control-token-of-all' });
});

test('returns the key that the configuration names, and throws where it names one that is missing', () => {
  const secrets = {
    apiKeyFile: { from: { env: 'STAGING_KEY' }, said: 'STAGING_KEY (a.json#/keys/primary)' },
  };
  const environment = { STAGING_KEY: 'of-staging', CHAT_API_KEY: 'of-something-else' };
  expect(readKeys({ secrets }, environment)).toEqual({ primary: 'of-staging' });
  expect(() => readKeys({ secrets }, { CHAT_API_KEY: 'of-something-else' })).toThrow(
    'STAGING_KEY (a.json#/keys/primary) is not set',
  );
});

test('throws without showing it given a key that no header can carry', () => {
  expect(() => readKeys({}, { CHAT_API_KEY: 'top secret' })).toThrow(
    /^CHAT_API_KEY must contain one key(?!.*secret)/,
  );
  expect(() => readKeys({ apiKeyFile: keyFile('one\ntwo\n') }, {})).toThrow('must contain one key');
  expect(() => readKeys({ apiKeyFile: keyFile('') }, {})).toThrow('must contain one key');
});

test('throws given no key at all, or a file that is not there', () => {
  expect(() => readKeys({}, {})).toThrow('set CHAT_API_KEY');
  expect(() => readKeys({ apiKeyFile: join(folder, 'missing') }, {})).toThrow('cannot read --api-key-file');
});

test('refuses a key so short that it could not be told from other words', () => {
  expect(() => readKeys({}, { CHAT_API_KEY: 'short' })).toThrow('at least 8 printable');
});
