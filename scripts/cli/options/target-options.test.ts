import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, afterAll } from 'vitest';
import { resolveFlags } from '../config/resolve-flags.ts';
import { setVariables } from '../test-support/variables.ts';
import type { CheckFlags } from './check-table.ts';
import { headers } from './headers.ts';
import { secret } from './secrets.ts';
import { baseUrlOf, resolveTarget } from './target-options.ts';

test('returns the base URL without its last slash given one that ends in /v1', () => {
  expect(baseUrlOf('http://127.0.0.1:8080/v1')).toBe('http://127.0.0.1:8080/v1');
  expect(baseUrlOf('https://host.example/chat/v1/')).toBe('https://host.example/chat/v1');
});

test.each([
  ['unix:/run/chat.sock:/v1', 'must begin with http:// or https://, not unix:'],
  ['host.example', 'is not a URL'],
  ['ftp://host.example/v1', 'must begin with http:// or https://'],
  ['https://host.example', 'did you mean https://host.example/v1?'],
  ['https://host.example/a/v1/chat/completions', 'did you mean https://host.example/a/v1?'],
  ['https://host.example/v1/models', 'must end in the version segment'],
  ['https://host.example/xv1', 'must end in the version segment'],
  ['https://host.example/v1?key=1', 'query or a fragment'],
  ['http://127.0.0.1:0/v1', 'must not have port 0: write {port} here and in --start for a free port'],
  ['https://me:hunter2@host.example/v1', /^(?!.*hunter2).*credentials/],
])('throws given %s', (text, message) => {
  expect(() => baseUrlOf(text)).toThrow(message);
});

type Environment = Readonly<Record<string, string>>;

const baseUrl = 'http://127.0.0.1:1/v1';

async function whereTo(flags: CheckFlags, environment: Environment) {
  setVariables(environment);
  return resolveTarget(await resolveFlags({ config: false, ...flags }));
}

const KEY = { CHAT_API_KEY: 'a-key-of-its-own' };
const folder = mkdtempSync(join(tmpdir(), 'read-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, `${text.length}.txt`);
  writeFileSync(file, text);
  return file;
}

const keyFile = (text: string) => secret('--api-key-file').parse(fileOf(text));
const missing = secret('--api-key-file').parse('/nowhere/a');
const NAMED = { from: { env: 'STAGING_KEY' }, said: 'STAGING_KEY (a.json#/keys/primary)' };
const controlUrl = 'https://staging.example/control';
const TOKEN = { CHAT_CONTROL_TOKEN: ' control-t0ken ' };

/** Headers as the command line gives them. */
function given(...words: readonly string[]): CheckFlags {
  return { header: words.reduce((before, word) => headers.parse(word, before), headers.parse('x-own:1')) };
}

test.each<[string, CheckFlags, Environment, object]>([
  ['no control URL, whatever the token', {}, TOKEN, { control: undefined }],
  ['a control URL', { controlUrl: `${controlUrl}/` }, {}, { control: { url: controlUrl } }],
  ['one with a token', { controlUrl }, TOKEN, { control: { url: controlUrl, token: 'control-t0ken' } }],
  [
    'a token in a file',
    { controlUrl, controlTokenFile: keyFile('the-token-of-a-file') },
    TOKEN,
    { control: { token: 'the-token-of-a-file' } },
  ],
  [
    'headers',
    given('X-Tenant: blue', 'x-trace:a:b', `X-Gateway: @${fileOf('gateway-s3cret\n')}`),
    {},
    { target: { headers: { 'x-tenant': 'blue', 'x-trace': 'a:b', 'x-gateway': 'gateway-s3cret' } } },
  ],
  [
    'keys in the environment',
    {},
    { CHAT_UNSCOPED_API_KEY: 'another-key', CHAT_SECOND_API_KEY: '' },
    { target: { keys: { primary: KEY.CHAT_API_KEY, unscoped: 'another-key' } } },
  ],
  ['a file', { apiKeyFile: keyFile('from-file\n') }, {}, { target: { keys: { primary: 'from-file' } } }],
  [
    'a key of the configuration',
    { apiKeyFile: NAMED },
    { STAGING_KEY: 'of-staging' },
    { target: { keys: { primary: 'of-staging' } } },
  ],
])('returns what is there given %s', async (_, flags, environment, found) => {
  const where = await whereTo({ baseUrl, ...flags }, { ...KEY, ...environment });
  expect({ control: undefined, ...where }).toMatchObject(found);
});

test.each<[CheckFlags, string | RegExp]>([
  [{ controlUrl: 'control' }, '--control-url is not a URL'],
  [{ controlUrl: `${controlUrl}?token=hunter2` }, /^(?!.*hunter2).*query/],
  [{ controlUrl: 'https://me:hunter2@h.example' }, /^(?!.*hunter2).*credentials/],
  [given('Authorization: Bearer abc'), 'authorization: the runner sets this header'],
  [given('HOST:example'), '--header host: the runner sets this header itself'],
  [
    given('X-Auth-Token: hunter2'),
    'x-auth-token: a secret must not be given as text: write --header x-auth-token:@',
  ],
  [given('x-team: Bearer hunter2'), '--header x-team: a secret must not be given as text'],
  [given('no colon'), 'must have the form NAME:VALUE'],
  [given(': value'), 'must have the form NAME:VALUE'],
  [given('x-empty:'), 'must have a value'],
  [given('x-split: a\r\nb: c'), 'must have a value'],
  [given('x-a:1', 'X-A:2'), 'x-a is given twice'],
  [given(`x-a:@${fileOf('hunter2\nhunter3\n')}`), /^--header x-a must have a value(?!.*hunter)/],
  [given('x-a:@/nowhere/a'), 'cannot read --header x-a:@/nowhere/a'],
  [{ apiKeyFile: NAMED }, `${NAMED.said} is not set`],
  [{ apiKeyFile: keyFile('one\ntwo\n') }, 'must contain one key'],
  [{ apiKeyFile: keyFile('') }, 'must contain one key'],
  [{ apiKeyFile: missing }, 'cannot read --api-key-file'],
])('throws, without showing a secret, given %j', async (flags, message) => {
  await expect(whereTo({ baseUrl, ...flags }, KEY)).rejects.toThrow(message);
});

test.each<[Environment, string | RegExp]>([
  [{ ...KEY, CHAT_CONTROL_URL: 'ftp://h.example/control' }, 'CHAT_CONTROL_URL must begin with http:// or'],
  [{ ...KEY, CHAT_CONTROL_URL: controlUrl, CHAT_CONTROL_TOKEN: 'a b' }, 'CHAT_CONTROL_TOKEN must contain'],
  [{ CHAT_API_KEY: 'top secret' }, /^CHAT_API_KEY must contain one key(?!.*secret)/],
  [{ CHAT_API_KEY: 'short' }, 'at least 8 printable'],
  [{}, 'set CHAT_API_KEY'],
])('throws, without showing a secret, given the variables %j', async (environment, message) => {
  await expect(whereTo({}, { CHAT_BASE_URL: baseUrl, ...environment })).rejects.toThrow(message);
});
