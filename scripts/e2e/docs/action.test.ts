import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, type Option } from 'commander';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { addCheckOptions } from '../../cli/check-command-options.ts';
import { repeated } from '../../cli/options/option-values.ts';
import { startErringService } from '../support/erring-service.ts';
import { ACTION, CHECK_STEP, runAction } from './action.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-job-0123' };

/** Options that a job has no use for. */
const NO_INPUT: ReadonlySet<string> = new Set(['watch']);

/** Inputs that are no options: secrets, and what the action itself does. */
const SECRETS = [
  'api-key',
  'second-api-key',
  'unscoped-api-key',
  'control-token',
  'proxy-auth',
  'cert-passphrase',
];
const NO_OPTION = [...SECRETS, 'merge', 'upload', 'artifact'];

/** The variable of each option's input: one value, true, or one value a line. */
function variableOf({ long, required, parseArg }: Option): readonly [string, string] {
  const name = (long ?? '').slice('--'.length);
  const kind = parseArg === repeated ? 'LIST' : required ? 'OPTION' : 'FLAG';
  return [`${kind}_${name.toUpperCase().replaceAll('-', '_')}`, `\${{ inputs.${name} }}`];
}

const OPTIONS = addCheckOptions(new Command()).options.filter(
  ({ long }) => !NO_INPUT.has(long?.slice('--'.length) ?? ''),
);

test('has an input for every option of the command, and no other', () => {
  const names = OPTIONS.map(({ long }) => long?.slice('--'.length));
  expect(new Set(Object.keys(ACTION.inputs))).toEqual(new Set([...names, ...NO_OPTION]));
});

test('passes every input in the environment, in its own way, and none in a script', () => {
  expect(CHECK_STEP.env).toMatchObject(Object.fromEntries(OPTIONS.map(variableOf)));
  expect(Object.values(CHECK_STEP.env ?? {})).toEqual(
    expect.arrayContaining(SECRETS.map((name) => `\${{ inputs.${name} }}`)),
  );
  for (const { run = '' } of ACTION.runs.steps) expect(run).not.toContain('${{');
});

test('pins what it depends on by commit, and keeps the report unless it is told not to', () => {
  const uses = ACTION.runs.steps.flatMap((step) => step.uses ?? []);
  expect(uses).toHaveLength(2);
  for (const name of uses) expect(name).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
  expect(ACTION.runs.steps.at(-1)).toMatchObject({
    if: "${{ always() && inputs.upload == 'true' }}",
    with: { name: '${{ inputs.artifact }}', path: '${{ steps.check.outputs.report }}' },
  });
  expect(ACTION.inputs['upload']?.default).toBe('true');
});

test('checks the mock, writes the reports, and fills the job page', async () => {
  const { code, outputs, page, workspace } = await runAction({
    only: 'REQ-6,models',
    seed: '1',
    tier: 'smoke',
  });
  expect(code).toBe(0);
  expect(outputs).toMatch(
    /^report=chat-conformance-report\nexit-code=0\noutcome=conformant\ncounts=\{.*"pass":\d+.*\}\n$/,
  );
  expect(page).toContain('conformant');
  expect(readdirSync(join(workspace, 'chat-conformance-report'))).toEqual(
    expect.arrayContaining(['journal.ndjson', 'report.json', 'junit.xml', 'summary.md', 'report.html']),
  );
});

test('fails as the command does, with its exit code as an output', async () => {
  const { baseUrl } = await startErringService();
  const found = await runAction({ 'base-url': baseUrl, only: 'REQ-6', seed: '1' }, KEY);
  expect(found).toMatchObject({
    code: 1,
    outputs: expect.stringMatching(/^exit-code=1\noutcome=violations\ncounts=\{.*"fail":\d/m),
  });
  expect(found.stdout).toContain('::error');
  const away = await runAction({ 'base-url': 'http://127.0.0.1:9/v1', only: 'REQ-6' }, KEY);
  expect(away).toMatchObject({
    code: 4,
    outputs: expect.stringMatching(/^exit-code=4\noutcome=incomplete\n/m),
  });
  expect(await runAction({ tier: 'huge' })).toMatchObject({
    code: 2,
    outputs: 'report=chat-conformance-report\nexit-code=2\n',
  });
});

test('writes the reports where the configuration says, unless the input names another folder', async () => {
  const settings = {
    report: 'out/gate',
    only: ['models'],
    seed: 1,
    targets: { night: { report: 'out/night' } },
  };
  const files = { 'chat-conformance.config.json': JSON.stringify(settings) };
  for (const [inputs, folder] of [
    [{}, 'out/gate'],
    [{ target: 'night' }, 'out/night'],
    [{ report: 'elsewhere' }, 'elsewhere'],
    [{ 'no-config': 'true', only: 'REQ-6', tier: 'smoke', seed: '1' }, 'chat-conformance-report'],
  ] as const) {
    const { code, outputs, workspace } = await runAction(inputs, {}, { files });
    expect({ code, said: outputs.split('\n')[0] }).toEqual({ code: 0, said: `report=${folder}` });
    expect(readdirSync(join(workspace, folder))).toContain('report.json');
  }
}, 60_000);

test('passes flags, lists and secrets, and no secret as an argument', async () => {
  const { baseUrl } = await startErringService();
  const inputs = {
    'base-url': baseUrl,
    'api-key': KEY.CHAT_API_KEY,
    header: 'x-team: blue\nx-region: north and south\n',
    'show-config': 'true',
    quiet: 'false',
  };
  const { code, stdout, stderr } = await runAction(inputs);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/headers\.x-team .*--header/);
  expect(stdout).toMatch(/headers\.x-region .*--header/);
  expect(stdout).toMatch(/keys\.primary +\(hidden\) +CHAT_API_KEY/);
  const header = { header: 'x-team: blue', 'base-url': baseUrl, only: 'models', seed: '1', tier: 'free' };
  const sent = await runAction(header, KEY);
  expect(readFileSync(join(sent.workspace, 'chat-conformance-report', 'journal.ndjson'), 'utf8')).toContain(
    '"headers":["x-team"]',
  );
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
  expect(whole).toMatchObject({ code: 0, outputs: expect.stringContaining('outcome=conformant') });
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
  const workflows = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']): unknown =>
    parse(text.split('\n---\n')[0] ?? ''),
  );
  const steps = workflows.flatMap(stepsIn).filter(({ uses }) => uses?.includes('/chat-conformance@'));
  expect(steps).toHaveLength(3);
  for (const step of steps)
    for (const name of Object.keys(step.with ?? {})) expect(Object.keys(ACTION.inputs)).toContain(name);
});
