import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { resolveFlags } from '../config/resolve-flags.ts';
import type { CheckFlags } from '../options/check-table.ts';
import { secret } from '../options/secrets.ts';
import { CATALOGUE } from '../test-support/catalogue.ts';
import { setVariables } from '../test-support/variables.ts';
import { resolveCheckOptions, type CheckOptions } from './check-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-plan-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function planOf(
  { targets = [], ...flags }: CheckFlags & { readonly targets?: readonly string[] },
  environment: Readonly<Record<string, string>> = {},
): Promise<CheckOptions> {
  setVariables(environment);
  const resolved = await resolveFlags({ config: false, ...flags });
  return resolveCheckOptions({ ...resolved, targets }, CATALOGUE);
}

const LIVE = { baseUrl: 'https://host.example/v1/', report: join(folder, 'live') };
const KEYS = { CHAT_API_KEY: 'first-key', CHAT_SECOND_API_KEY: 'second-key' };

test('returns a run without caps against the mock given nothing of ours, or --mock whatever else there is', async () => {
  expect((await planOf({ mock: true, targets: ['staging'] }, KEYS)).target).toMatchObject({ kind: 'mock' });
  const others = { OPENAI_API_KEY: 'sk-of-another-program', OPENAI_BASE_URL: 'https://host.example/v1' };
  const { target, run: options } = await planOf({}, others);
  expect(target).toMatchObject({ kind: 'mock' });
  expect(options).toMatchObject({ runs: 55, concurrency: 8, timeoutMs: 120_000, maxTimeMs: 7_200_000 });
  expect(options.caps).toEqual({ requests: Infinity, completions: Infinity, outputTokens: 64 });
  expect([...options.allow]).toEqual(['disruptive', 'costly']);
});

const TO_THE_MOCK = '; --mock checks the bundled mock';

test.each([
  ['a key', {}, KEYS, 'CHAT_API_KEY is given, but no target is named: pass --base-url URL'],
  ['an empty key', {}, { CHAT_SECOND_API_KEY: '' }, 'CHAT_SECOND_API_KEY is given, but no target is named'],
  ['the token of a control API', {}, { CHAT_CONTROL_TOKEN: 't' }, 'CHAT_CONTROL_TOKEN is given, but'],
  ['a login of a proxy', {}, { CHAT_PROXY_AUTH: 'me:pw' }, 'CHAT_PROXY_AUTH is given, but no target is'],
  [
    'a file with a key',
    { apiKeyFile: secret('--api-key-file').parse('key.txt') },
    {},
    '--api-key-file key.txt is given, but no target',
  ],
  [
    'a key of the configuration',
    { apiKeyFile: { from: { env: 'STAGING_KEY' }, said: 'STAGING_KEY (a.json#/keys/primary)' } },
    {},
    'STAGING_KEY (a.json#/keys/primary) is given, but no target is named',
  ],
  [
    'targets in the configuration',
    { targets: ['local', 'staging'] },
    {},
    'no target is named: pass --target local or --target staging or --base-url URL',
  ],
  ['--no-mock', { mock: false }, {}, 'no target is named: pass --base-url URL'],
])('throws in place of a run of the mock given %s and no target', async (_what, flags, environment, line) => {
  await expect(planOf(flags, environment)).rejects.toThrow(line);
  await expect(planOf(flags, environment)).rejects.toThrow(TO_THE_MOCK);
});

test('throws where the base URL is missing given a target without one, and an empty one', async () => {
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ targets: { staging: {} } }));
  await expect(planOf({ config })).rejects.toThrow(
    /^the target staging has no base URL: write "baseUrl" at .*config\.json#\/targets\/staging, or pass --base-url$/,
  );
  await expect(planOf({ baseUrl: '' }, KEYS)).rejects.toThrow(
    '--base-url is empty: it must look like https://',
  );
  await expect(planOf({}, { ...KEYS, CHAT_BASE_URL: ' ' })).rejects.toThrow(
    'CHAT_BASE_URL is empty: it must look like https://',
  );
});

test.each([
  [{ baseUrl: LIVE.baseUrl }, '--mock excludes --target and --base-url'],
  [{ controlUrl: LIVE.baseUrl }, '--control-url requires --base-url: the bundled mock does not use it'],
  [
    { secondApiKeyFile: secret('--second-api-key-file').parse('key.txt') },
    '--second-api-key-file requires --base-url',
  ],
  [{ certKey: 'k' }, '--cert-key requires --base-url'],
])('throws given --mock and what it has no use for: %j', async (flags, line) => {
  await expect(planOf({ mock: true, ...flags }, KEYS)).rejects.toThrow(line);
});

test('returns small caps and no disruptive requests given a base URL', async () => {
  const { target, run: options } = await planOf(LIVE, KEYS);
  expect(target).toEqual({
    kind: 'live',
    baseUrl: 'https://host.example/v1',
    keys: { primary: 'first-key', second: 'second-key' },
    headers: {},
    profile: {},
  });
  expect(options).toMatchObject({ runs: 'few', concurrency: 4, timeoutMs: 120_000, maxTimeMs: 1_800_000 });
  expect(options.caps).toEqual({ requests: 400, completions: 70, outputTokens: 16 });
  expect([...options.allow]).toEqual([]);
});

test('returns what was asked for in place of the defaults', async () => {
  const flags = {
    maxRequests: 9,
    maxCompletions: 3,
    maxOutputTokens: 2,
    seed: 4,
    timeout: 50,
    maxTime: '90s',
    runs: 7,
    maxFailures: 2,
  } as const;
  const { run: options } = await planOf({ ...LIVE, ...flags, allow: ['costly'], failOn: ['warn'] }, KEYS);
  expect(options).toMatchObject({ seed: 4, runs: 7, timeoutMs: 50, maxTimeMs: 90_000, maxFailures: 2 });
  expect(options.caps).toEqual({ requests: 9, completions: 3, outputTokens: 2 });
  expect([[...options.allow], options.failOn]).toEqual([['costly'], ['warn']]);
});

test('returns the profile without what is only about its file', async () => {
  const file = join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify({ format: 'chat-conformance/profile', version: 1, name: 'staging' }));
  expect((await planOf({ profile: file })).target.profile).toEqual({ name: 'staging' });
});

test('makes the report folder only once everything else was found good', async () => {
  const report = join(folder, 'made', 'reports');
  await expect(planOf({ report, only: ['nothing-of-that-name'] })).rejects.toThrow('nothing-of-that-name');
  expect(existsSync(report)).toBe(false);
  await planOf({ report });
  expect(existsSync(report)).toBe(true);
});
