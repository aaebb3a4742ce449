import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type CommandResult, runCommand } from '../support/command.ts';
import { startEchoingServer } from './echoing-server.ts';
import { secretsInFolder, secretsInProcesses, secretsInText } from './secrets-in.ts';

/** Canaries: nothing else looks like them, and each has characters that every encoding writes differently. */
const SECRETS = {
  CHAT_API_KEY: 'sk-Kj4/Tz9+canary_Wm2.Hd8~Xq6=Bv3&Pn7',
  CHAT_SECOND_API_KEY: 'second-Lw5/Rc1+canary_Gy8.Fs3~Jt9=Zk6',
  CHAT_UNSCOPED_API_KEY: 'unscoped-Vb2/Nx7+canary_Qm4.Dp1~Hs5=Yg8',
  CHAT_CONTROL_TOKEN: 'control-Ce6/Mz3+canary_Tu9.Ak2~Wr7=Lf4',
};
const CANARIES = Object.values(SECRETS);

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
const out = join(folder, 'out');
const inProcesses = new Set<string>();
let echoed: CommandResult;

beforeAll(async () => {
  let requests = 0;
  const lookAround = (): void => {
    requests += 1;
    if (requests % 100 === 1) for (const found of secretsInProcesses(CANARIES)) inProcesses.add(found);
  };
  const server = await startEchoingServer({ onRequest: lookAround });
  mkdirSync(out);
  const reports = ['--report', out, '--write-baseline', join(out, 'baseline.json')];
  const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(out, 'step.md') };
  echoed = await runCommand(
    [
      '--base-url',
      `${server.origin}/v1`,
      '--control-url',
      `${server.origin}/control`,
      '--runs',
      '30',
      ...reports,
    ].concat(
      '--max-requests',
      '3000',
      '--max-completions',
      '2000',
      '--allow',
      'disruptive,costly',
      '--seed',
      '1',
    ),
    { ...SECRETS, ...job },
  );
  await server.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

test('writes every report of a run with many failures', () => {
  expect(echoed.code).toBe(1);
  expect(echoed.stdout).toContain('[key:primary]');
  const files = ['baseline.json', 'junit.xml', 'report.html', 'report.json', 'step.md', 'summary.md'];
  expect(readdirSync(out).toSorted()).toEqual(expect.arrayContaining(files));
});

test('shows no key on a terminal, in any encoding', () => {
  expect(secretsInText('stdout', echoed.stdout, CANARIES)).toEqual([]);
  expect(secretsInText('stderr', echoed.stderr, CANARIES)).toEqual([]);
});

test('shows no key in any file of a run, in any encoding', () => {
  expect(secretsInFolder(out, CANARIES)).toEqual([]);
});

test('shows no key in the list of processes', () => {
  expect([...inProcesses]).toEqual([]);
});

test.each([
  ['refuses', 4],
  // What is no list of models fails SVC-2.
  ['babbles', 1],
] as const)('shows no key given a target that only %s', async (manner, exitCode) => {
  const server = await startEchoingServer({ manner });
  onTestFinished(() => server.close());
  const { code, stdout, stderr } = await runCommand(['--base-url', `${server.origin}/v1`], SECRETS);
  expect(code).toBe(exitCode);
  expect(secretsInText(manner, stdout + stderr, CANARIES)).toEqual([]);
});

test('shows no key in what commands make of a report', async () => {
  const report = join(out, 'report.json');
  for (const args of [
    ['profile', 'learn', report],
    ['diff', report, report],
  ]) {
    const { stdout, stderr } = await runCommand(args, SECRETS);
    expect(secretsInText(args.join(' '), stdout + stderr, CANARIES)).toEqual([]);
  }
});
