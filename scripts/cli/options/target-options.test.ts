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
  ['host.example', 'is not a URL'],
  ['ftp://host.example/v1', 'must begin with http:// or https://'],
  ['https://host.example', 'did you mean https://host.example/v1?'],
  ['https://host.example/v1/models', 'must end in the version segment'],
  ['https://host.example/xv1', 'must end in the version segment'],
  ['https://host.example/v1?key=1', 'query or a fragment'],
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
  expect(extraHeaders(['X-Tenant: blue', 'x-trace:a:b'])).toEqual({ 'x-tenant': 'blue', 'x-trace': 'a:b' });
});

test.each([
  ['Authorization: Bearer abc', 'cannot set authorization'],
  ['Idempotency-Key: 1', 'cannot set idempotency-key'],
  ['content-length:1', 'cannot set content-length'],
  ['HOST:example', 'cannot set host'],
  ['Accept-Encoding: gzip', 'cannot set accept-encoding'],
  ['no colon', 'must have the form NAME:VALUE'],
  [': value', 'must have the form NAME:VALUE'],
  ['x-empty:', 'must have a value'],
  ['x-split: a\r\nb: c', 'must have a value'],
])('throws given %j', (text, message) => {
  expect(() => extraHeaders([text])).toThrow(message);
});

test('throws given a header twice', () => {
  expect(() => extraHeaders(['x-a:1', 'X-A:2'])).toThrow('x-a is given twice');
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
      {
        CHAT_API_KEY: 'a-key-of-its-own',
        CHAT_UNSCOPED_API_KEY: 'c-key-of-its-own',
        CHAT_SECOND_API_KEY: '',
      },
      undefined,
    ),
  ).toEqual({
    primary: 'a-key-of-its-own',
    unscoped: 'c-key-of-its-own',
  });
});

test('returns the key of the file given both a file and the environment', () => {
  expect(readKeys({ CHAT_API_KEY: 'a' }, keyFile('from-file\n'))).toEqual({ primary: 'from-file' });
});

test('throws without showing it given a key that no header can carry', () => {
  expect(() => readKeys({ CHAT_API_KEY: 'top secret' }, undefined)).toThrow(
    /^CHAT_API_KEY must contain one key(?!.*secret)/,
  );
  expect(() => readKeys({}, keyFile('one\ntwo\n'))).toThrow('must contain one key');
  expect(() => readKeys({}, keyFile(''))).toThrow('must contain one key');
});

test('throws given no key at all, or a file that is not there', () => {
  expect(() => readKeys({}, undefined)).toThrow('set CHAT_API_KEY');
  expect(() => readKeys({}, join(folder, 'missing'))).toThrow('cannot read --api-key-file');
});

test('refuses a key so short that it could not be told from other words', () => {
  expect(() => readKeys({ CHAT_API_KEY: 'short' }, undefined)).toThrow('at least 8 printable');
});
