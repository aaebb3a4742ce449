import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readProfile } from './read-profile.ts';

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
  [{ extra: true }, '#: '],
])('throws one line that names the place given %j', (value, expected) => {
  const message = messageGiven(value);
  expect(message).toContain(join(folder, 'profile.json') + expected);
  expect(message).not.toContain('\n');
});

test.each([
  ['eror.code', '/code', 'eror.code: must be an open point: did you mean error.code'],
  ['error.code', 'error/code', 'error.code: must be a JSON pointer, such as /error/code, or null if absent'],
  ['error.code', '/error~2code', 'error.code: must be a JSON pointer'],
  ['stream.framing', 'chunk', 'stream.framing: must be one of chunks, whole: did you mean chunks?'],
  ['messages.empty', true, 'messages.empty: must be one of served, refused'],
  ['error.status.missing_key', '401', 'error.status.missing_key: must be an HTTP status'],
  ['error.code.missing_key', '', 'error.code.missing_key: must be a string or a number'],
  ['response.usage.input', 7, 'response.usage.input: must be a name, a JSON pointer within the usage'],
  ['response.usage.input', 'input/tokens', 'response.usage.input: must be a name'],
  ['response.fields', ['b', 'a'], 'response.fields: must be a sorted list'],
  ['stream.terminator', 0, 'stream.terminator: must be a string'],
  ['limits.context_tokens', { 'a/b': 0.5 }, 'limits.context_tokens/a~1b: must be an object'],
])('throws, given that %s is pinned to %j: %s', (point, value, expected) => {
  expect(messageGiven({ pins: { [point]: value } })).toContain(`#/pins/${expected}`);
});

test('throws given a file that is not JSON, or is not there', () => {
  expect(() => readProfile(fileOf('{'))).toThrow('is not JSON');
  expect(() => readProfile(join(folder, 'missing.json'))).toThrow('ENOENT');
});
