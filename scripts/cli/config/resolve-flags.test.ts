import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CheckFlags, ResolvedFlags } from '../options/check-table.ts';
import { readSecret, secretPlaces } from '../options/secrets.ts';
import { setVariables } from '../test-support/variables.ts';
import { findConfiguration, resolveFlags } from './resolve-flags.ts';

const folder = mkdtempSync(join(tmpdir(), 'configuration-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

function fileOf(configuration: unknown): string {
  files += 1;
  const file = join(folder, `${files}.json`);
  writeFileSync(file, JSON.stringify(configuration));
  return file;
}

function flagsWith(configuration: unknown, given: CheckFlags = {}): Promise<ResolvedFlags> {
  setVariables();
  return resolveFlags({ config: fileOf(configuration), ...given });
}

const WHOLE = {
  tier: 'smoke',
  concurrency: 2,
  caps: { requests: 90, completions: 30 },
  profile: 'sub/profile.json',
  headers: { 'X-Team': 'blue', 'x-region': 'north' },
  keys: { primary: { env: 'KEY_OF_ALL' }, second: { file: 'second.txt' } },
  targets: {
    staging: {
      baseUrl: 'https://staging.example/v1',
      caps: { requests: 50 },
      headers: { 'x-team': { env: 'TEAM' } },
      keys: { primary: { env: 'STAGING_KEY' } },
    },
  },
};

test('returns settings of the target before those of the top, and flags before both', async () => {
  const flags = await flagsWith(WHOLE, { target: 'staging', concurrency: 7 });
  expect(flags).toMatchObject({
    baseUrl: 'https://staging.example/v1',
    tier: 'smoke',
    concurrency: 7,
    maxRequests: 50,
    maxCompletions: 30,
  });
  expect(flags.origins).toMatchObject({
    maxRequests: expect.stringMatching(/\d+\.json#\/targets\/staging\/caps\/requests$/),
    maxCompletions: expect.stringMatching(/\d+\.json#\/caps\/completions$/),
    concurrency: '--concurrency',
    timeout: 'default',
  });
});

const [LOCAL, STAGING] = ['http://127.0.0.1:8080/v1', 'https://staging.example/v1'];
const TWO = { targets: { local: { baseUrl: LOCAL }, staging: { baseUrl: STAGING } } };

test.each([
  ['the only target', WHOLE, {}, 'staging', STAGING],
  ['the default', { ...TWO, default: 'local' }, {}, 'local', LOCAL],
  ['the default before a top base URL', { ...TWO, default: 'local', baseUrl: STAGING }, {}, 'local', LOCAL],
  ['the base URL of the top before the only target', { ...WHOLE, baseUrl: LOCAL }, {}, undefined, LOCAL],
  ['the named one, not the default', { ...TWO, default: 'local' }, { target: 'staging' }, 'staging', STAGING],
  ['a given base URL, with nothing of the only target', WHOLE, { baseUrl: LOCAL }, undefined, LOCAL],
  ['none of several', TWO, {}, undefined, undefined],
  ['none given --mock', { ...WHOLE, baseUrl: LOCAL }, { mock: true }, undefined, undefined],
])('returns as the target %s', async (_what, configuration, given, target, baseUrl) => {
  const flags = await flagsWith(configuration, given);
  expect(flags).toMatchObject({ targets: Object.keys(configuration.targets) });
  expect([flags.target, flags.baseUrl]).toEqual([target, baseUrl]);
  const isStaging = target === 'staging' && configuration === WHOLE;
  expect(flags.apiKeyFile?.said.includes('/targets/staging') ?? false).toBe(isStaging);
});

test('returns what the variables name, where the command line names no target', async () => {
  const config = fileOf({ ...TWO, default: 'local' });
  const [named, control] = ['https://other.example/v1', 'https://other.example/control'];
  setVariables({ CHAT_CONFIG: config, CHAT_BASE_URL: named, CHAT_CONTROL_URL: control });
  const origins = { baseUrl: 'CHAT_BASE_URL', controlUrl: 'CHAT_CONTROL_URL' };
  expect(await resolveFlags({})).toMatchObject({ baseUrl: named, controlUrl: control, origins });
  const given = await resolveFlags({ target: 'staging' });
  expect([given.baseUrl, given.controlUrl]).toEqual([STAGING, undefined]);
  setVariables({ CHAT_TARGET: 'staging' });
  expect(await resolveFlags({ config })).toMatchObject({
    target: 'staging',
    baseUrl: STAGING,
    place: expect.stringMatching(/#\/targets\/staging$/),
  });
  setVariables({ CHAT_BASE_URL: '' });
  expect(await resolveFlags({ config })).toMatchObject({
    baseUrl: '',
    origins: { baseUrl: 'CHAT_BASE_URL' },
  });
});

test('returns paths that lead from the working directory to beside the file', async () => {
  const { profile, secondApiKeyFile } = await flagsWith(WHOLE);
  expect(join(process.cwd(), profile ?? '')).toBe(join(folder, 'sub', 'profile.json'));
  expect(secondApiKeyFile?.from).toEqual({ file: expect.stringMatching(/second\.txt$/) });
});

test('returns where each secret is, that of the target first, and headers by their lower-case names', async () => {
  const { apiKeyFile, header } = await flagsWith(WHOLE, { target: 'staging' });
  expect(apiKeyFile?.from).toEqual({ env: 'STAGING_KEY' });
  expect(apiKeyFile?.said).toMatch(/^STAGING_KEY \(.*#\/targets\/staging\/keys\/primary\)$/);
  expect(header?.map(({ name }) => name)).toEqual(['x-team', 'x-region']);
  expect(header?.[0]?.value).toMatchObject({ from: { env: 'TEAM' } });
});

test('returns how requests get to the target, with files beside the configuration', async () => {
  const flags = await flagsWith({
    proxy: 'http://proxy.example:3128',
    noProxy: ['a.example', 'b.example'],
    proxyAuth: { env: 'PROXY_LOGIN' },
    tls: { ca: 'ca.pem', cert: 'client.pem' },
    pace: '60/m',
    maxFailures: 3,
  });
  expect(flags).toMatchObject({
    proxy: 'http://proxy.example:3128',
    noProxy: 'a.example,b.example',
    ca: expect.stringMatching(/\Wca\.pem$/),
    cert: expect.stringMatching(/\Wclient\.pem$/),
    pace: '60/m',
    maxFailures: 3,
  });
  expect(secretPlaces(flags)).toEqual({ proxyAuth: { env: 'PROXY_LOGIN' } });
  expect(() => readSecret(flags, 'proxyAuth')).toThrow(/^PROXY_LOGIN \(.*#\/proxyAuth\) is not set$/);
  setVariables({ PROXY_LOGIN: 'me:pw', CHAT_PROXY_AUTH: 'other' });
  expect(readSecret(flags, 'proxyAuth')).toBe('me:pw');
});

test.each(['http://me:hunter2@proxy.example:3128', 'me:hunter2@proxy.example:3128'])(
  'throws at the place, without showing it, given a proxy with credentials: %s',
  async (proxy) => {
    await expect(flagsWith({ proxy })).rejects.toThrow(/#\/proxy: must not contain credentials(?!.*hunter2)/);
  },
);

test.each([
  [{ keys: { primary: 'hunter2hunter2' } }, '/keys/primary'],
  [{ proxyAuth: 'me:hunter2' }, '/proxyAuth'],
  [{ targets: { a: { keys: { second: 'hunter2hunter2' } } } }, '/targets/a/keys/second'],
  [{ controlToken: 'hunter2hunter2' }, '/controlToken'],
])('throws at the place, without showing it, given a secret as text: %j', async (configuration, place) => {
  const error: unknown = await flagsWith(configuration).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain(`#${place}: write a secret as { "env": "NAME" } or { "file": "PATH" }`);
  expect(String(error)).not.toContain('hunter2');
});

test.each([
  [{ teir: 'smoke' }, 'teir'],
  [{ tier: 'huge' }, '#/tier: '],
  [{ caps: { requests: 0 } }, '#/caps/requests: '],
  [{ maxTime: '0m' }, '#/maxTime: must be a time such as 90s, 15m or 2h'],
  [{ pace: '5' }, '#/pace: must be N/s or N/m'],
  [{ runs: 'some' }, '#/runs: must be few, fewest or a number'],
  [{ targets: { 'a b': {} } }, 'must be letters, digits, dots and hyphens'],
  [[], '#: '],
])('throws with the place given %j', async (configuration, message) => {
  await expect(flagsWith(configuration)).rejects.toThrow(message);
});

test('throws with the targets that there are given another one', async () => {
  await expect(flagsWith(WHOLE, { target: 'stagin' })).rejects.toThrow('did you mean staging?');
  await expect(flagsWith({ ...TWO, default: 'stagin' })).rejects.toThrow('#/default: there is no target');
  await expect(flagsWith(WHOLE, { target: 'production' })).rejects.toThrow('its targets are staging');
  await expect(flagsWith(WHOLE, { target: '' })).rejects.toThrow('is empty: it must name a target');
  await expect(flagsWith({}, { target: 'staging' })).rejects.toThrow('it names none');
  await expect(resolveFlags({ config: false, target: 'staging' })).rejects.toThrow(
    'there is no configuration file here or above',
  );
});

test('finds the nearest file upwards to the root of the repository, and throws where a folder has two', () => {
  const [near, far] = [join(folder, 'far', 'near'), join(folder, 'far')];
  mkdirSync(join(near, 'below'), { recursive: true });
  writeFileSync(join(far, 'chat-conformance.config.json'), '{}');
  expect(findConfiguration(join(near, 'below'), undefined)).toBe(join(far, 'chat-conformance.config.json'));
  writeFileSync(join(near, 'chat-conformance.config.ts'), '');
  expect(findConfiguration(join(near, 'below'), undefined)).toBe(join(near, 'chat-conformance.config.ts'));
  expect(findConfiguration(near, '../chat-conformance.config.json')).toBe(
    join(far, 'chat-conformance.config.json'),
  );
  writeFileSync(join(near, 'below', '.git'), 'gitdir: elsewhere');
  expect(findConfiguration(join(near, 'below'), undefined)).toBeUndefined();
  writeFileSync(join(far, 'chat-conformance.config.ts'), '');
  expect(() => findConfiguration(far, undefined)).toThrow('name one with --config');
  expect(() => findConfiguration(far, 'other.json')).toThrow('there is no configuration file other.json');
  expect(() => findConfiguration(far, '')).toThrow('is empty: it must name a file');
});
