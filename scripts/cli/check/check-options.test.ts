import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CheckFlags } from '../options/check-flags.ts';
import { CATALOGUE } from '../test-support/catalogue.ts';
import { resolveCheckOptions, type CheckOptions } from './check-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-plan-'));
afterAll(() => rmSync(folder, { recursive: true }));

function planOf(
  flags: CheckFlags,
  environment: Readonly<Record<string, string>> = {},
): Promise<CheckOptions> {
  return resolveCheckOptions(flags, environment, CATALOGUE);
}

const LIVE = { baseUrl: 'https://host.example/v1/', report: join(folder, 'live') };
const KEYS = { CHAT_API_KEY: 'first-key', CHAT_SECOND_API_KEY: 'second-key' };

test('returns a run without caps against the mock given nothing', async () => {
  const { destination, run: options } = await planOf({}, KEYS);
  expect(destination).toEqual({ kind: 'mock' });
  expect(options).toMatchObject({ runs: 55, concurrency: 12, timeoutMs: 120_000 });
  expect(options.caps).toEqual({ requests: Infinity, completions: Infinity, outputTokens: 64 });
  expect([...options.allow]).toEqual(['disruptive', 'costly']);
});

test('returns small caps and no disruptive requests given a base URL', async () => {
  const { destination, run: options } = await planOf(LIVE, KEYS);
  expect(destination).toEqual({
    kind: 'live',
    baseUrl: 'https://host.example/v1',
    keys: { primary: 'first-key', second: 'second-key' },
  });
  expect(options).toMatchObject({ runs: 'few', concurrency: 4, timeoutMs: 120_000 });
  expect(options.caps).toEqual({ requests: 300, completions: 80, outputTokens: 16 });
  expect([...options.allow]).toEqual([]);
});

test('returns the control URL with its token given both', async () => {
  const environment = { ...KEYS, CHAT_CONTROL_TOKEN: 'control-t0ken' };
  const { destination } = await planOf({ ...LIVE, controlUrl: 'https://host.example/control' }, environment);
  expect(destination).toMatchObject({
    control: { url: 'https://host.example/control', token: 'control-t0ken' },
  });
});

test('returns what was asked for in place of the defaults', async () => {
  const flags = {
    maxRequests: 9,
    maxCompletions: 3,
    maxOutputTokens: 2,
    seed: 4,
    timeout: 50,
    runs: 7,
  } as const;
  const { run: options, failOn } = await planOf(
    { ...LIVE, ...flags, allow: ['costly'], failOn: ['warn'] },
    KEYS,
  );
  expect(options).toMatchObject({ seed: 4, runs: 7, timeoutMs: 50 });
  expect(options.caps).toEqual({ requests: 9, completions: 3, outputTokens: 2 });
  expect([[...options.allow], [...failOn]]).toEqual([['costly'], ['warn']]);
});

test('returns the profile without what is only about its file', async () => {
  const file = join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify({ format: 'chat-conformance/profile', version: 1, name: 'staging' }));
  expect((await planOf({ profile: file })).profile).toEqual({ name: 'staging' });
});

test('makes the report folder only once everything else was found good', async () => {
  const report = join(folder, 'made', 'reports');
  await expect(planOf({ report, only: ['nothing-of-that-name'] })).rejects.toThrow('nothing-of-that-name');
  expect(existsSync(report)).toBe(false);
  await planOf({ report });
  expect(existsSync(report)).toBe(true);
});
