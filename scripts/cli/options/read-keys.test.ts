import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readKeys } from './read-keys.ts';

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
    /^CHAT_API_KEY must hold one key(?!.*secret)/,
  );
  expect(() => readKeys({}, keyFile('one\ntwo\n'))).toThrow('must hold one key');
  expect(() => readKeys({}, keyFile(''))).toThrow('must hold one key');
});

test('throws given no key at all, or a file that is not there', () => {
  expect(() => readKeys({}, undefined)).toThrow('set CHAT_API_KEY');
  expect(() => readKeys({}, join(folder, 'missing'))).toThrow('cannot read --api-key-file');
});

test('refuses a key so short that it could not be told from other words', () => {
  expect(() => readKeys({ CHAT_API_KEY: 'short' }, undefined)).toThrow('at least 8 printable');
});
