import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { addCheckOptions } from '../../cli/check-command-options.ts';
import { startErringService } from '../support/erring-service.ts';
import { ACTION, CHECK_STEP, runAction } from './action.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-job-0123' };
const OPTIONS = Object.keys(ACTION.inputs).filter((name) => name !== 'merge');

test('has inputs only for options of the command that take a value', () => {
  const { options } = addCheckOptions(new Command());
  for (const name of OPTIONS)
    expect(options).toContainEqual(expect.objectContaining({ long: `--${name}`, required: true }));
});

test('passes every input in the environment, and none in a script', () => {
  const variables = OPTIONS.map((name) => [
    `OPTION_${name.toUpperCase().replaceAll('-', '_')}`,
    `\${{ inputs.${name} }}`,
  ]);
  expect(CHECK_STEP.env).toMatchObject(Object.fromEntries(variables));
  for (const { run = '' } of ACTION.runs.steps) expect(run).not.toContain('${{');
});

test('checks the mock, writes the reports, and fills the job page', async () => {
  const { code, outputs, page, workspace } = await runAction({
    only: 'REQ-6,models',
    seed: '1',
    tier: 'smoke',
  });
  expect({ code, outputs }).toEqual({ code: 0, outputs: 'exit-code=0\n' });
  expect(page).toContain('conformant');
  expect(readdirSync(join(workspace, 'chat-conformance-report'))).toEqual(
    expect.arrayContaining(['journal.ndjson', 'report.json', 'junit.xml', 'summary.md', 'report.html']),
  );
});

test('fails as the command does, with its exit code as an output', async () => {
  const { baseUrl } = await startErringService();
  const found = await runAction({ 'base-url': baseUrl, only: 'REQ-6', seed: '1' }, KEY);
  expect(found).toMatchObject({ code: 1, outputs: 'exit-code=1\n' });
  expect(found.stdout).toContain('::error');
  const away = await runAction({ 'base-url': 'http://127.0.0.1:9/v1', only: 'REQ-6' }, KEY);
  expect(away).toMatchObject({ code: 4, outputs: 'exit-code=4\n' });
});

const AWKWARD = `a b'c"d;touch $HOME/e $(touch f) \`touch g\` *`;

test('takes inputs as values, whatever characters they hold', async () => {
  const made = await runAction({ only: 'models', seed: '1', report: AWKWARD.replaceAll('/', '') });
  expect(made.code).toBe(0);
  expect(readdirSync(made.workspace)).toEqual([AWKWARD.replaceAll('/', '')]);
  for (const name of ['only', 'base-url', 'tier', 'shard', 'seed']) {
    const { code, stderr, workspace } = await runAction({ [name]: `--quiet ${AWKWARD}` }, KEY);
    expect({ name, code, files: readdirSync(workspace) }).toEqual({ name, code: 2, files: [] });
    expect(stderr).toMatch(/^error: .+\n$/);
  }
}, 60_000);

test('merges the reports of shards', async () => {
  const shard = (i: number) => runAction({ only: 'models,REQ-6', tier: 'smoke', seed: '3', shard: `${i}/2` });
  const shards = [await shard(1), await shard(2)];
  const folders = shards.map(({ workspace }) => join(workspace, 'chat-conformance-report'));
  const whole = await runAction({ merge: `${folders.join('\n')}\n`, report: 'out put' });
  expect(whole).toMatchObject({ code: 0, outputs: 'exit-code=0\n' });
  expect(whole.page).toContain('conformant');
  expect(readdirSync(join(whole.workspace, 'out put'))).toContain('journal.ndjson');
  const wrong = await runAction({ merge: folders.join('\n'), tier: 'smoke' });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown option '--tier") });
}, 60_000);

/** Every step of every job in a workflow. */
function stepsIn(workflow: unknown): readonly { uses?: string; with?: object }[] {
  const { jobs = {} } = workflow as { jobs?: Record<string, { steps: { uses?: string; with?: object }[] }> };
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

test('has every input that the documented workflows use', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/ci.md', import.meta.url)), 'utf8');
  const workflows = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']): unknown => parse(text));
  expect(workflows).toHaveLength(3);
  const steps = workflows.flatMap(stepsIn).filter(({ uses }) => uses?.includes('/chat-conformance@'));
  expect(steps).toHaveLength(3);
  for (const step of steps)
    for (const name of Object.keys(step.with ?? {})) expect(Object.keys(ACTION.inputs)).toContain(name);
});
