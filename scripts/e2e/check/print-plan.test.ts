import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

const live = (...args: readonly string[]) =>
  callCommand(['--base-url', `${server.origin}/v1`, ...args], { CHAT_API_KEY: 'sk-plan-0123456789' });

test('prints the requests and clauses of a run, and sends nothing', async () => {
  const { code, stdout, stderr } = await live('--plan');
  expect({ code, stderr, sent: server.count() }).toEqual({ code: 0, stderr: '', sent: 0 });
  expect(stdout).toContain('Nothing was sent');
  expect(stdout).toMatch(/If the service keeps the specification.*: \d+ requests, \d+ completions/);
  expect(stdout).toMatch(/Whatever the service does.*: 300 requests, 80 completions/);
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
  expect(plan).toMatchObject({ format: 'chat-conformance/plan', version: 1, runs: 'fewest' });
});

test('plans fewer clauses where a cap leaves no room, and says so', async () => {
  const { stdout } = await live('--plan', '--max-completions', '0');
  expect(stdout).toMatch(/the caps leave no room for it\n +SVC-1/);
});

test('plans nothing for a clause that was filtered out', async () => {
  const { stdout } = await live('--plan', '--only', 'models');
  expect(stdout).toContain('no selected check covers it');
  expect(stdout).not.toContain('known-parameters');
});

test('plans a run against the mock without caps', async () => {
  const { code, stdout } = await callCommand(['--plan', '--only', 'streaming']);
  expect(code).toBe(0);
  expect(stdout).toContain('There are no caps.');
});

test.each([
  ['JSON without a plan', ['--json'], '--json requires --plan'],
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
