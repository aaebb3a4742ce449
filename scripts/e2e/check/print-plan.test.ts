import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

test('prints limits, stages, and what it leaves out of a run without a key, and sends nothing', async () => {
  const service = await startErringService();
  const live = ['--base-url', service.baseUrl, '--plan'];
  const { code, stdout, stderr } = await callCommand(live);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Nothing was sent. Limits: 400 requests and 70 completions');
  expect(stdout).toMatch(/free +\d+ +\d+ \(\d+\)\n.*unlisted-models \(12\)/);
  expect(stdout).toMatch(/all, if nothing fails +\d+ +\d+/);
  expect(stdout).toMatch(/ AUTH-2 AUTH-4: no key without the inference scope: set CHAT_UNSCOPED_API_KEY/);
  expect(stdout).toMatch(/ RES-5 [-A-Z\d ]+: needs --control-url\n/);
  expect(stdout).toMatch(
    /2 passed in part +MOD-2, not seen: [^]* ERR-4, not seen: refuses too large an input \(needs --allow costly\)/,
  );
  expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  const less = await callCommand([...live, '--max-completions', '0', '--skip', 'models']);
  expect(less.stdout).toMatch(/ SVC-1 [-A-Z\d\s]+: the\s+limits\s+leave\s+no\s+room\s+for\s+it/);
  const few = await callCommand([...live, '--max-requests', '20']);
  expect(few.stdout).toMatch(/all, if nothing fails +20 +(?:\d|1[0-8])\b/);
  expect(few.stdout).toMatch(/ AUTH-1 [-A-Z\d\s]+: the\s+limits\s+leave\s+no\s+room\s+for\s+it/);
  expect(service.arrivals).toEqual([]);
});

test('prints the plan for the models and keys that are named, as JSON', async () => {
  const folder = temporaryFolder();
  const profile = join(folder, 'profile.json');
  const models = {
    sees: { vision: true, contextTokens: 4096 },
    reads: { vision: false, contextTokens: 512 },
  };
  writeFileSync(profile, JSON.stringify({ format: 'chat-conformance/profile', version: 1, models }));
  const args = ['--base-url', 'http://127.0.0.1:9/v1', '--plan', '--json', '--tier', 'smoke'];
  const { code, stdout, stderr } = await callCommand([...args, '--profile', profile], {
    CHAT_UNSCOPED_API_KEY: 'sk-unscoped-0123',
  });
  expect([code, stderr]).toEqual([0, '']);
  const plan: { clauses: { id: string; exercised: boolean }[] } = JSON.parse(stdout);
  expect(plan).toMatchObject({ format: 'chat-conformance/plan', version: 3, runs: 'fewest' });
  const exercised = plan.clauses.filter((each) => each.exercised).map(({ id }) => id);
  expect(exercised).toEqual(expect.arrayContaining(['MSG-4', 'LIM-1', 'LIM-2', 'AUTH-2']));
});

test('needs none of the secrets that a configuration names, and counts on the keys among them', async () => {
  const config = join(temporaryFolder(), 'chat-conformance.config.json');
  const target = {
    baseUrl: 'http://127.0.0.1:9/v1',
    controlUrl: 'http://127.0.0.1:9/control',
    keys: { primary: { env: 'NO_KEY' }, second: { env: 'NO_SECOND_KEY' } },
    controlToken: { env: 'NO_TOKEN' },
    headers: { 'x-team': { env: 'NO_TEAM' } },
  };
  writeFileSync(config, JSON.stringify({ targets: { staging: target } }));
  const { code, stdout, stderr } = await callCommand(['--plan', '--config', config, '--target', 'staging']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/preflight +3 +0/);
  expect(stdout).not.toMatch(/CHAT_SECOND_API_KEY|: needs --control-url\n/);
});

test('plans a run against the mock without caps, and keeps nothing of it', async () => {
  const report = join(temporaryFolder(), 'out');
  const { code, stdout } = await callCommand(['--plan', '--only', 'RES-1', '--report', report]);
  expect([code, existsSync(report)]).toEqual([0, false]);
  expect(stdout).toContain('Limits: any number of requests and any number of completions');
});
