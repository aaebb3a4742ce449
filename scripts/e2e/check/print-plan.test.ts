import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCommand } from '../support/command.ts';
import { type CountingServer, refuseKey, startCountingServer } from '../support/counting-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'print-plan-'));
let server: CountingServer;

beforeAll(async () => {
  server = await startCountingServer(refuseKey);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const live = (...args: readonly string[]) => callCommand(['--base-url', `${server.origin}/v1`, ...args]);

test('prints limits, stages and clauses of a run without a key, and sends nothing', async () => {
  const { code, stdout, stderr } = await live('--plan');
  expect({ code, stderr, sent: server.count() }).toEqual({ code: 0, stderr: '', sent: 0 });
  expect(stdout).toContain('Nothing was sent. Limits: 300 requests and 80 completions');
  expect(stdout).toContain('Nothing is sent after 30 min (--max-time).');
  expect(stdout).toMatch(/free: reads, and what must be refused +\d+ +0 \(\d+\)\n.*unlisted-models \(12\)/);
  expect(stdout).toMatch(/all, as long as nothing fails +\d+ +\d+/);
  expect(stdout).toMatch(/no key without the inference scope: set CHAT_UNSCOPED_API_KEY\n +AUTH-2/);
  expect(stdout).toMatch(/needs --control-url\n +RES-5/);
  expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
});

test('prints the plan as JSON, and writes it beside the reports', async () => {
  const report = join(folder, 'out');
  const { code, stdout, stderr } = await live('--plan', '--json', '--tier', 'smoke', '--report', report);
  expect({ code, sent: server.count() }).toEqual({ code: 0, sent: 0 });
  expect(stderr).toContain('plan.json');
  const plan: object = JSON.parse(stdout);
  expect(plan).toEqual(JSON.parse(readFileSync(join(report, 'plan.json'), 'utf8')));
  expect(plan).toMatchObject({
    format: 'chat-conformance/plan',
    version: 2,
    runs: 'fewest',
    time: { mostMs: 900_000 },
  });
});

test('says how long a run takes at a latency that is given, and what the last run of the target took', async () => {
  const caps = ['--max-completions', '10', '--concurrency', '4'];
  expect((await live('--plan', '2.5s', ...caps)).stdout).toContain('At 2.5 s a completion, 4 at a time: 8 s');
  const report = join(folder, 'of-the-mock');
  await callCommand(['--only', 'RES-1', '--tier', 'smoke', '--quiet', '--report', report]);
  const { stdout } = await callCommand(['--plan', '--report', report]);
  expect(stdout).toMatch(/The last run of this target sent \d+ requests in \d+ s\./);
});

test('plans for the models and the keys that are named', async () => {
  const profile = join(folder, 'profile.json');
  const models = {
    sees: { vision: true, contextTokens: 4096 },
    reads: { vision: false, contextTokens: 512 },
  };
  writeFileSync(profile, JSON.stringify({ format: 'chat-conformance/profile', version: 1, models }));
  const environment = { CHAT_UNSCOPED_API_KEY: 'sk-unscoped-0123' };
  const { stdout } = await callCommand(
    ['--base-url', `${server.origin}/v1`, '--plan', '--json', '--profile', profile],
    environment,
  );
  const { clauses }: { clauses: { id: string; exercised: boolean }[] } = JSON.parse(stdout);
  const exercised = clauses.filter((each) => each.exercised).map(({ id }) => id);
  expect(exercised).toEqual(expect.arrayContaining(['MSG-4', 'LIM-1', 'LIM-2', 'AUTH-2']));
});

test('needs none of the secrets that a configuration names, and counts on the keys among them', async () => {
  const config = join(folder, 'chat-conformance.config.json');
  const target = {
    baseUrl: `${server.origin}/v1`,
    controlUrl: `${server.origin}/control`,
    keys: { primary: { env: 'NO_KEY' }, second: { env: 'NO_SECOND_KEY' } },
    controlToken: { env: 'NO_TOKEN' },
    headers: { 'x-team': { env: 'NO_TEAM' } },
  };
  writeFileSync(config, JSON.stringify({ targets: { staging: target } }));
  const { code, stdout, stderr } = await callCommand(['--plan', '--config', config, '--target', 'staging']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/preflight +3 +0/);
  expect(stdout).not.toMatch(/CHAT_SECOND_API_KEY|--control-url\n/);
});

test('plans fewer clauses where a cap leaves no room, and says so', async () => {
  const { stdout } = await live('--plan', '--max-completions', '0');
  expect(stdout).toMatch(/the limits leave no room for it\n +SVC-1/);
});

test('plans nothing for a clause that was filtered out', async () => {
  const { stdout } = await live('--plan', '--only', 'models');
  expect(stdout).toContain('no selected check covers it');
  expect(stdout).not.toContain('known-parameters');
});

test('plans a run against the mock without caps', async () => {
  const { code, stdout } = await callCommand(['--plan', '--only', 'streaming']);
  expect(code).toBe(0);
  expect(stdout).toContain('No limit on requests and completions');
});

test.each([
  ['JSON without a plan', ['--json'], '--json requires --plan'],
  ['a latency that is no time', ['--plan', 'fast'], 'such as 800ms or 2.5s'],
  ['an unknown size', ['--tier', 'huge'], 'one of: free, smoke, full, exhaustive'],
  [
    'a free run with completions',
    ['--tier', 'free', '--max-completions', '9'],
    '--max-completions must be 0 or 1',
  ],
])('exits 2 with one line and sends nothing given %s', async (_, args, line) => {
  const { code, stdout, stderr } = await live(...args);
  expect({ code, stdout, sent: server.count() }).toEqual({ code: 2, stdout: '', sent: 0 });
  expect(stderr).toMatch(/^error: .+\n$/);
  expect(stderr).toContain(line);
});
