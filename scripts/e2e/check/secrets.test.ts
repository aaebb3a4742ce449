import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPORT_FILES } from '../../cli/reports/report-folder.ts';
import { callCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';
import { startEchoingServer } from './echoing-server.ts';
import { secretsInFolder, secretsInText } from './secrets-in.ts';

/** Canaries: nothing else looks like them, and each has characters that every encoding writes differently. */
const SECRETS = {
  CHAT_API_KEY: 'sk-Kj4/Tz9+canary_Wm2.Hd8~Xq6=Bv3&Pn7',
  CHAT_SECOND_API_KEY: 'second-Lw5/Rc1+canary_Gy8.Fs3~Jt9=Zk6',
  CHAT_UNSCOPED_API_KEY: 'unscoped-Vb2/Nx7+canary_Qm4.Dp1~Hs5=Yg8',
  CHAT_CONTROL_TOKEN: 'control-Ce6/Mz3+canary_Tu9.Ak2~Wr7=Lf4',
};
const CANARIES = Object.values(SECRETS);

test('shows no key on a terminal, in any file of a run, or in what commands make of it, in any encoding', async () => {
  const out = temporaryFolder();
  const origin = await startEchoingServer('serves');
  const target = ['--base-url', `${origin}/v1`, '--control-url', `${origin}/control`];
  const size = ['--max-requests', '400', '--max-completions', '200', '--seed', '1'];
  const reports = ['--report', out, '--write-baseline', join(out, 'baseline.json')];
  const run = await callCommand([...target, ...size, '--allow', 'disruptive,costly', ...reports], {
    ...SECRETS,
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(out, 'step.md'),
  });
  expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('[key:primary]')]);
  const files = ['baseline.json', 'step.md', ...REPORT_FILES];
  expect(readdirSync(out).toSorted()).toEqual(expect.arrayContaining(['journal.ndjson', ...files]));

  const learned = await callCommand(['profile', 'learn', out], SECRETS);
  const compared = await callCommand(['diff', out, out], SECRETS);
  const reported = await callCommand(['report', out], SECRETS);
  const printed = [run, learned, compared, reported].map(({ stdout, stderr }) => stdout + stderr).join('\n');
  expect(secretsInText('printed', printed, CANARIES)).toEqual([]);
  expect(secretsInFolder(out, CANARIES)).toEqual([]);
});

test.each([
  ['refuses', 4],
  // What is no list of models fails SVC-2.
  ['babbles', 1],
] as const)('shows no key given a target that only %s', async (manner, exitCode) => {
  const origin = await startEchoingServer(manner);
  const { code, stdout, stderr } = await callCommand(['--base-url', `${origin}/v1`], SECRETS);
  expect(code).toBe(exitCode);
  expect(secretsInText(manner, stdout + stderr, CANARIES)).toEqual([]);
});
