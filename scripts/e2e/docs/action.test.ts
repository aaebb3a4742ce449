import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, type Option } from 'commander';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { addCheckOptions } from '../../cli/options/check-table.ts';
import { REPORT_FILES } from '../../cli/reports/report-folder.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';
import { ACTION, CHECK_STEP, ROOT, runAction } from './action.ts';

const ON_THE_MOCK = { mock: 'true', only: 'models', seed: '1', tier: 'smoke' };

/** Options that a job has no use for. */
const NO_INPUT: ReadonlySet<string> = new Set(['watch', 'no-mock']);

/** Inputs that are no options: secrets, and what the action itself does. */
const SECRETS = ['api-key', 'second-api-key', 'unscoped-api-key', 'control-token', 'proxy-auth'];
const NO_OPTION = [...SECRETS, 'upload', 'artifact'];

/** Of those whose value may be left out, the one that a job gives a value. */
const VALUED = '--write-baseline';

/** The variable of each option's input: one value, true, or one value a line. */
function variableOf({ long, required, description }: Option): readonly [string, string] {
  const name = (long ?? '').slice('--'.length);
  const kind = /\brepeatable\b/.test(description) ? 'LIST' : required || long === VALUED ? 'OPTION' : 'FLAG';
  return [`CHAT_CONFORMANCE_${kind}_${name.toUpperCase().replaceAll('-', '_')}`, `\${{ inputs.${name} }}`];
}

const OPTIONS = addCheckOptions(new Command()).options.filter(
  ({ long }) => !NO_INPUT.has(long?.slice('--'.length) ?? ''),
);

test('has an input for every option of the command, in the environment and in no script', () => {
  const names = OPTIONS.map(({ long }) => long?.slice('--'.length));
  expect(new Set(Object.keys(ACTION.inputs))).toEqual(new Set([...names, ...NO_OPTION]));
  expect(CHECK_STEP.env).toMatchObject(Object.fromEntries(OPTIONS.map(variableOf)));
  expect(Object.values(CHECK_STEP.env ?? {})).toEqual(
    expect.arrayContaining(SECRETS.map((name) => `\${{ inputs.${name} }}`)),
  );
  for (const { run = '' } of ACTION.runs.steps) expect(run).not.toContain('${{');
});

test('pins what it depends on by commit, and keeps the report unless it is told not to', () => {
  const uses = ACTION.runs.steps.flatMap((step) => step.uses ?? []);
  expect(uses).toHaveLength(4);
  for (const name of uses) expect(name).toMatch(/^[\w-]+\/[\w-]+(?:\/\w+)?@[\da-f]{40}$/);
  expect(ACTION.runs.steps.at(-1)).toMatchObject({
    if: "${{ always() && inputs.upload == 'true' }}",
    with: { name: '${{ inputs.artifact }}', path: '${{ steps.check.outputs.report }}' },
  });
  expect(ACTION.inputs['upload']?.default).toBe('true');
});

test('checks the mock given mock: true, by its sources, writes the reports, and fills the job page', async () => {
  const { code, stdout, outputs, page, workspace } = await runAction(ON_THE_MOCK, {}, { actionPath: ROOT });
  expect(code).toBe(0);
  expect(outputs).toMatch(
    /^report=chat-conformance-report\nexit-code=0\noutcome=conformant \(the bundled mock\)\ntarget-kind=mock\ncounts=\{.*"pass":\d+.*\}\n$/,
  );
  expect(page).toMatch(/^# Conformance: conformant \(the bundled mock\)\n/);
  expect(stdout).toContain('\nOutcome: conformant (the bundled mock)\n');
  expect(stdout).toContain('\n::notice title=Outcome::conformant (the bundled mock)\n');
  expect(readdirSync(join(workspace, 'chat-conformance-report'))).toEqual(
    expect.arrayContaining(['journal.ndjson', ...REPORT_FILES]),
  );
});

test('ends with code 2 and one line, and checks no mock, where nothing names a target', async () => {
  const { code, stdout, stderr, outputs, page, workspace } = await runAction({});
  expect({ code, stdout, page, outputs }).toEqual({
    code: 2,
    stdout: '',
    page: '',
    outputs: 'report=chat-conformance-report\nexit-code=2\n',
  });
  expect(stderr).toMatch(/^error: no target is named: pass --base-url URL.+\n$/);
  expect(readdirSync(workspace)).toEqual([]);
});

const KEY = 'sk-a-key-of-a-job-0123';

test('fails as the command does, with flags, lists and secrets, and its report where the configuration says', async () => {
  const { baseUrl, arrivals } = await startErringService();
  const settings = {
    targets: { staging: { baseUrl, report: 'out/gate', only: ['REQ-6'], seed: 1, tier: 'smoke' } },
  };
  const files = { 'chat-conformance.config.json': JSON.stringify(settings) };
  const header = 'x-team: blue\nx-region: north and south\n';
  const inputs = { target: 'staging', 'api-key': KEY, header, quiet: 'true', mock: 'false' };
  const found = await runAction(inputs, {}, { files });
  expect(found).toMatchObject({
    code: 1,
    outputs: expect.stringMatching(
      /^report=out\/gate\nexit-code=1\noutcome=violations\ntarget-kind=live\ncounts=\{.*"fail":\d/,
    ),
    stdout: expect.stringContaining('::error'),
  });
  expect(arrivals.at(-1)?.headers).toMatchObject({ 'x-team': 'blue', 'x-region': 'north and south' });
  expect(arrivals.some(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  expect(readdirSync(join(found.workspace, 'out', 'gate'))).toContain('report.json');
});

test('checks several targets, shows them on the page with their past runs, and tells the worst outcome', async () => {
  const { baseUrl } = await startErringService();
  // Of one address, and so with one history.
  const targets = { one: { baseUrl }, two: { baseUrl } };
  const settings = { only: ['REQ-6'], targets };
  const files = { 'chat-conformance.config.json': JSON.stringify(settings) };
  const cached = temporaryFolder();
  const inputs = { target: 'one, two', 'api-key': KEY, quiet: 'true' };
  const { code, outputs, page, workspace } = await runAction(inputs, { RUNNER_TEMP: cached }, { files });
  expect(code).toBe(1);
  expect(outputs).toMatch(
    /^report=chat-conformance-report\nexit-code=1\noutcome=violations\ntarget-kind=live\n/,
  );
  expect(page.match(/^# .*/gm)).toEqual([
    '# Conformance of 2 targets',
    '# Conformance of one: violations',
    '# Conformance of two: violations',
  ]);
  expect(page).toContain('✘ ✘ (2 runs since ');
  const kept = readFileSync(join(cached, 'chat-conformance-history', 'history.ndjson'), 'utf8');
  expect(kept.trim().split('\n')).toHaveLength(2);
  const written = readdirSync(join(workspace, 'chat-conformance-report'));
  expect(written.toSorted()).toEqual(['matrix.md', 'one', 'two']);
});

const AWKWARD = `a b'c"d;touch $HOME/e $(touch f) \`touch g\` *`;

/** Variables of a job that are no inputs, though they end like one. */
const JOB = { SECRET_PATH: '/nowhere', SECRET_NODE_OPTIONS: '--bad', OPTION_X: '1' };

test('takes inputs as values, whatever they hold, and no other variable of the job for one', async () => {
  const report = `--require=./evil.cjs ${AWKWARD.replaceAll('/', '')}`;
  const files = { 'evil.cjs': 'require("node:fs").writeFileSync("executed", "")' };
  const made = await runAction({ ...ON_THE_MOCK, report }, JOB, { files });
  expect([made.code, readdirSync(made.workspace)]).toEqual([0, ['--require=.', 'evil.cjs']]);
  expect(readdirSync(join(made.workspace, report))).toContain('report.json');
  const { code, stderr, workspace } = await runAction({ mock: 'true', only: `--quiet ${AWKWARD}` });
  expect([code, stderr, readdirSync(workspace)]).toEqual([2, expect.stringMatching(/^error: .+\n$/), []]);
});

/** Every step of every job in a workflow. */
function stepsIn(workflow: unknown): readonly { uses?: string; with?: object }[] {
  const { jobs = {} } = workflow as { jobs?: Record<string, { steps: { uses?: string; with?: object }[] }> };
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

test('has every input that the documented workflows use', () => {
  const page = readFileSync(join(ROOT, 'docs', 'ci.md'), 'utf8');
  const workflows = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']): unknown => parse(text));
  const steps = workflows.flatMap(stepsIn).filter(({ uses }) => uses?.includes('/chat-conformance@'));
  expect(steps).toHaveLength(2);
  for (const step of steps)
    for (const name of Object.keys(step.with ?? {})) expect(Object.keys(ACTION.inputs)).toContain(name);
});
