import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readProfile } from './profile-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'profile-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, 'profile.json');
  writeFileSync(file, text);
  return file;
}

const HEAD = { format: 'chat-conformance/profile', version: 1 };

function messageGiven(value: object): string {
  try {
    readProfile(fileOf(JSON.stringify({ ...HEAD, ...value })));
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'accepted';
}

test('returns the facts and pins given a whole profile', () => {
  const profile = {
    name: 'staging',
    model: 'small-1',
    models: { 'small-1': { contextTokens: 4096, vision: false } },
    pins: { 'error.code': '/error/code', 'limits.context_tokens': { 'small-1': 4096 } },
  };
  const text = JSON.stringify({ $schema: './profile.schema.json', ...HEAD, ...profile });
  expect(readProfile(fileOf(text))).toEqual(profile);
});

test.each([
  [{ version: 2 }, '#/version: '],
  [{ models: { a: { contextTokens: 1.5 } } }, '#/models/a/contextTokens: '],
  [{ models: { 'a/b': { vision: 'yes' } } }, '#/models/a~1b/vision: '],
  [{ pins: { 'eror.code': '/code' } }, '#/pins/eror.code: must be an open point: did you mean error.code'],
  [{ extra: true }, '#: '],
])('throws one line that names the place given %j', (value, expected) => {
  const message = messageGiven(value);
  expect(message).toContain(join(folder, 'profile.json') + expected);
  expect(message).not.toContain('\n');
});

test('throws given a file that is not JSON, or is not there', () => {
  expect(() => readProfile(fileOf('{'))).toThrow('is not JSON');
  expect(() => readProfile(join(folder, 'missing.json'))).toThrow('ENOENT');
});
