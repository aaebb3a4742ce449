import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, type Option } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startMock } from '../../../mock-server/start-mock.ts';
import { addCheckOptions } from '../../cli/options/check-table.ts';
import { repeated } from '../../cli/options/kinds.ts';
import { startErringService } from '../support/erring-service.ts';
import { ACTION, CHECK_STEP, runAction } from './action.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-job-0123' };

const ON_THE_MOCK = { mock: 'true', only: 'REQ-6,models', seed: '1', tier: 'smoke' };

/** Options that a job has no use for. */
const NO_INPUT: ReadonlySet<string> = new Set(['watch', 'no-mock']);

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
  const kind = parseArg === repeated.parse ? 'LIST' : required ? 'OPTION' : 'FLAG';
  return [`CHAT_CONFORMANCE_${kind}_${name.toUpperCase().replaceAll('-', '_')}`, `\${{ inputs.${name} }}`];
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

test('checks the mock given mock: true, writes the reports, and fills the job page', async () => {
  const { code, stdout, outputs, page, workspace } = await runAction(ON_THE_MOCK);
  expect(code).toBe(0);
  expect(outputs).toMatch(
    /^report=chat-conformance-report\nexit-code=0\noutcome=conformant \(the bundled mock\)\ntarget-kind=mock\ncounts=\{.*"pass":\d+.*\}\n$/,
  );
  expect(page).toMatch(/^# Conformance: conformant \(the bundled mock\)\n/);
  expect(stdout).toContain('\nOutcome: conformant (the bundled mock)\n');
  expect(stdout).toContain('\n::notice title=Outcome::conformant (the bundled mock)\n');
  expect(readdirSync(join(workspace, 'chat-conformance-report'))).toEqual(
    expect.arrayContaining(['journal.ndjson', 'report.json', 'junit.xml', 'summary.md', 'report.html']),
  );
});

const TARGETS = { targets: { local: { baseUrl: 'http://127.0.0.1:9/v1' }, staging: {} } };

test.each([
  ['nothing', {}, {}, {}, 'no target is named: pass --base-url URL'],
  [
    'an empty base URL and a key',
    { 'base-url': '', 'api-key': KEY.CHAT_API_KEY },
    {},
    {},
    'CHAT_API_KEY is set',
  ],
  [
    'an empty CHAT_BASE_URL',
    {},
    { CHAT_BASE_URL: '' },
    {},
    'CHAT_BASE_URL is empty: it must look like https://',
  ],
  [
    'a configuration with targets',
    {},
    {},
    TARGETS,
    'pass --target local or --target staging or --base-url URL',
  ],
  ['a target without a base URL', { target: 'staging' }, {}, TARGETS, 'the target staging has no base URL'],
  ['a configuration of settings alone', { quiet: 'true' }, {}, { tier: 'smoke' }, 'no target is named'],
])(
  'ends with code 2 and one line, and checks no mock, given %s',
  async (_what, inputs, more, settings, line) => {
    const files = { 'chat-conformance.config.json': JSON.stringify(settings) };
    const { code, stdout, stderr, outputs, page, workspace } = await runAction(inputs, more, { files });
    expect({ code, stdout, page, outputs }).toEqual({
      code: 2,
      stdout: '',
      page: '',
      outputs: 'report=chat-conformance-report\nexit-code=2\n',
    });
    expect(stderr).toMatch(/^error: .+\n$/);
    expect(stderr).toContain(line);
    expect(readdirSync(workspace)).toEqual(Object.keys(files));
  },
);

test('fails as the command does, with its exit code as an output', async () => {
  const { baseUrl } = await startErringService();
  const found = await runAction({ 'base-url': baseUrl, only: 'REQ-6', seed: '1' }, KEY);
  expect(found).toMatchObject({
    code: 1,
    outputs: expect.stringMatching(
      /^exit-code=1\noutcome=violations\ntarget-kind=live\ncounts=\{.*"fail":\d/m,
    ),
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
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const key = { CHAT_API_KEY: mock.keys['primary'] ?? '' };
  const settings = {
    baseUrl: mock.url,
    report: 'out/gate',
    only: ['REQ-6'],
    tier: 'smoke',
    seed: 1,
    targets: { night: { report: 'out/night' } },
  };
  const files = { 'chat-conformance.config.json': JSON.stringify(settings) };
  for (const [inputs, folder] of [
    [{}, 'out/gate'],
    [{ target: 'night' }, 'out/night'],
    [{ report: 'elsewhere' }, 'elsewhere'],
    [{ mock: 'true' }, 'out/gate'],
    [{ ...ON_THE_MOCK, 'no-config': 'true' }, 'chat-conformance-report'],
  ] as const) {
    const { code, outputs, workspace } = await runAction(inputs, key, { files });
    expect({ code, said: outputs.split('\n')[0] }).toEqual({ code: 0, said: `report=${folder}` });
    expect(readdirSync(join(workspace, folder))).toContain('report.json');
  }
}, 60_000);

test('takes no other variable of the job for an input', async () => {
  const job = {
    SECRET_PATH: '/nowhere',
    SECRET_NODE_OPTIONS: '--bad',
    FLAG_DEBUG: 'true',
    OPTION_X: '1',
    LIST_Y: 'z',
  };
  expect(await runAction(ON_THE_MOCK, { ...job, MERGE: 'elsewhere' })).toMatchObject({ code: 0 });
});

test('reads the report of a folder whose name looks like an option', async () => {
  const files = { 'evil.cjs': 'require("node:fs").writeFileSync("executed", "")' };
  const report = '--require=./evil.cjs';
  const { outputs, workspace } = await runAction({ ...ON_THE_MOCK, report }, {}, { files });
  expect(outputs).toContain('\noutcome=conformant (the bundled mock)\n');
  expect(readdirSync(workspace)).not.toContain('executed');
});

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
  const made = await runAction({ ...ON_THE_MOCK, report: AWKWARD.replaceAll('/', '') });
  expect(made.code).toBe(0);
  expect(readdirSync(made.workspace)).toEqual([AWKWARD.replaceAll('/', '')]);
  for (const name of ['only', 'base-url', 'tier', 'shard', 'seed']) {
    const mock = name === 'base-url' ? '' : 'true';
    const { code, stderr, workspace } = await runAction({ mock, [name]: `--quiet ${AWKWARD}` }, KEY);
    expect({ name, code, files: readdirSync(workspace) }).toEqual({ name, code: 2, files: [] });
    expect(stderr).toMatch(/^error: .+\n$/);
  }
}, 60_000);

test('merges the reports of shards', async () => {
  const shard = (i: number) => runAction({ ...ON_THE_MOCK, shard: `${i}/2` });
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
