import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readReport } from '../../../suites/kit/reporting/read-report.ts';
import { check, CHECKS, getStimulus, HOLDS, notExercised, runSuites, startMock } from '../../index.ts';
import { makeProject } from '../service/project.ts';
import { resultOf } from '../support/command.ts';

const PAGE = readFileSync(new URL('../../../docs/checks.md', import.meta.url), 'utf8');
const EXAMPLE = /```ts\n([^]*?)```/.exec(PAGE)?.[1] ?? '';
const BROKEN = ['x-models-not-cached', 'fail'];
const KEPT = ['x-model-named', 'pass'];

function verdictsIn(folder: string): readonly (readonly string[])[] {
  return readReport(folder).checks.map(({ id, verdict }) => [id, verdict]);
}

test('judges the documented checks of a user, one that holds and one that is violated, in every report', async () => {
  const { command, folder } = makeProject({ 'checks.ts': EXAMPLE });
  const { code, stdout, stderr } = await resultOf(
    command('--mock', '--checks', 'checks.ts', '--only', 'own', '--seed', '1', '--report', 'out'),
  );
  expect({ code, warned: stderr.includes('Warning') }).toEqual({ code: 1, warned: false });
  const [, shown = ''] = /The mock keeps [^]*?```\n([^]*?)```/.exec(PAGE) ?? [];
  expect(stdout).toContain(shown.trim());
  expect(stdout).toContain('--checks checks.ts --seed 1 --only x-models-not-cached');
  expect(verdictsIn(join(folder, 'out'))).toEqual([BROKEN, KEPT]);
  const junit = readFileSync(join(folder, 'out', 'junit.xml'), 'utf8');
  expect(junit).toContain('classname="own"');
  expect(readFileSync(join(folder, 'out', 'report.html'), 'utf8')).toContain('x-models-not-cached');
  expect(readFileSync(join(folder, 'out', 'summary.md'), 'utf8')).toMatch(/x-model-named.*\| own \|/);
}, 60_000);

test('plans them, takes them from a configuration, skips one, and knows their failures from a baseline', async () => {
  const { command, write, folder } = makeProject({ 'checks.ts': EXAMPLE });
  write('chat-conformance.config.json', JSON.stringify({ checks: 'checks.ts', only: ['own'], seed: 1 }));
  expect((await resultOf(command('--mock', '--plan'))).stdout).toContain('x-chat-of-each-model');
  const skipped = await resultOf(command('--mock', '--skip', 'x-models-not-cached', '--report', 'kept'));
  expect({ code: skipped.code, verdicts: verdictsIn(join(folder, 'kept')) }).toEqual({
    code: 0,
    verdicts: [KEPT],
  });
  expect((await resultOf(command('--mock', '--write-baseline', 'known.json'))).code).toBe(1);
  expect((await resultOf(command('--mock', '--baseline', 'known.json'))).code).toBe(0);
}, 60_000);

test('says which line of theirs threw, and that it is theirs', async () => {
  const broken = EXAMPLE.replace(
    "if (control.includes('no-store')) return HOLDS;",
    "throw new RangeError('mine');",
  );
  const line = broken.split('\n').findIndex((text) => text.includes('RangeError')) + 1;
  const { command } = makeProject({ 'checks.ts': broken });
  const { code, stdout } = await resultOf(
    command('--mock', '--checks', 'checks.ts', '--only', 'own', '--seed', '1'),
  );
  expect(stdout).toContain(`reason    this check of yours threw RangeError: mine (checks.ts:${line})`);
  expect(stdout).toContain('Incomplete: 1 check of yours threw an error');
  expect(code).toBe(3);
}, 60_000);

test('judges and sends them again with their module, and reports them without it', async () => {
  const { command, folder } = makeProject({ 'checks.ts': EXAMPLE });
  const own = ['--checks', 'checks.ts'];
  await resultOf(command('--mock', ...own, '--only', 'own', '--seed', '1', '--report', 'out'));
  await resultOf(command('report', 'out', '--report', 'again'));
  expect(verdictsIn(join(folder, 'again'))).toEqual([BROKEN, KEPT]);
  const without = await resultOf(command('report', '--rejudge', 'out'));
  expect(without.stderr).toContain('without --checks FILE: x-models-not-cached x-model-named');
  expect((await resultOf(command('report', '--rejudge', 'out', ...own, '--report', 'rejudged'))).code).toBe(
    1,
  );
  expect(verdictsIn(join(folder, 'rejudged'))).toEqual(expect.arrayContaining([BROKEN, KEPT]));
  const again = await resultOf(command('--mock', ...own, '--last-failed', '--report', 'out'));
  expect(again).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Still fails: x-models-not-cached'),
  });
}, 60_000);

test('lists and explains them with their module, and says what it takes without it', async () => {
  const { command } = makeProject({ 'checks.ts': EXAMPLE });
  const own = ['--checks', 'checks.ts'];
  const listed = await resultOf(command('list', ...own));
  expect(listed.stdout).toMatch(/^  x-model-named  \(stated\)\n {6}names the model that was asked for/m);
  const json: unknown = JSON.parse((await resultOf(command('list', '--json', ...own))).stdout);
  expect(json).toMatchObject({
    checks: expect.arrayContaining([expect.objectContaining({ id: BROKEN[0] })]),
  });
  const explained = await resultOf(command('explain', 'x-model-named', ...own));
  expect(explained.stdout).toContain('chat-conformance --checks checks.ts --only x-model-named');
  expect((await resultOf(command('explain', 'REQ-6', ...own))).stdout).not.toContain('checks.ts');
  expect(await resultOf(command('explain', 'x-model-named'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--checks FILE names the module'),
  });
}, 60_000);

test('joins them from shards, with a baseline that knows their failures', async () => {
  const { command, folder } = makeProject({ 'checks.ts': EXAMPLE });
  const own = ['--mock', '--checks', 'checks.ts', '--only', 'own', '--seed', '1'];
  await resultOf(command(...own, '--shard', '1/2', '--report', 'out-1', '--write-baseline', 'known-1.json'));
  await resultOf(command(...own, '--shard', '2/2', '--report', 'out-2', '--write-baseline', 'known-2.json'));
  const known = ['known-1.json', 'known-2.json'].map((name) => readFileSync(join(folder, name), 'utf8'));
  const baseline = known.findIndex((text) => text.includes('x-models-not-cached')) + 1;
  const merged = await resultOf(
    command('merge', 'out-1', 'out-2', '--report', 'whole', '--baseline', `known-${baseline}.json`),
  );
  expect(merged.code).toBe(0);
  expect(verdictsIn(join(folder, 'whole'))).toEqual([BROKEN, KEPT]);
}, 60_000);

test('ends with exit code 2 and the place, before anything is sent, where the module cannot be used', async () => {
  const { command, write } = makeProject({
    'checks.ts': EXAMPLE.replaceAll("'x-model-named'", "'model-named'"),
  });
  const wrong = await resultOf(command('--checks', 'checks.ts', '--base-url', 'http://127.0.0.1:9/v1'));
  expect(wrong).toMatchObject({ code: 2, stderr: 'error: checks.ts#/1/id: must begin with x-\n' });
  write('broken.ts', 'export default [');
  const broken = await resultOf(command('--checks', 'broken.ts', '--base-url', 'http://127.0.0.1:9/v1'));
  expect(broken).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: broken\.ts cannot be loaded: .+\n$/),
  });
  const named = await resultOf(command('--mock', '--only', 'x-model-named'));
  expect(named).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--checks FILE loads checks of your own'),
  });
}, 60_000);

test('judges the checks of a program beside those of the package', async () => {
  const mock = await startMock({ port: 0 });
  onTestFinished(() => mock.close());
  const own = check({
    id: 'x-models-served',
    title: 'serves the models',
    given: getStimulus('x-models', '/models', ['primary']),
    holds: ({ exchanges: [exchange] }) => (exchange === undefined ? notExercised('not sent') : HOLDS),
  });
  const keys = { primary: mock.keys['primary'] ?? '' };
  const { checks } = await runSuites({
    target: { kind: 'live', baseUrl: mock.url, keys, headers: {}, profile: {} },
    checks: [...CHECKS.filter(({ id }) => id === 'models-can-be-listed'), own],
    invariants: [],
    seed: 1,
    runs: 'fewest',
    concurrency: 1,
    timeoutMs: 10_000,
    caps: { requests: 20, completions: 0, outputTokens: 16 },
    allow: new Set(),
  });
  expect(checks.map(({ id, verdict }) => [id, verdict])).toContainEqual(['x-models-served', 'pass']);
});
