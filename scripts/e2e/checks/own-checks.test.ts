import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { check, CHECKS, getStimulus, HOLDS, notExercised, runSuites } from '../../index.ts';
import { makeProject } from '../service/project.ts';
import { callCommand, resultOf } from '../support/command.ts';
import { shortRun, targetOf } from '../support/journalled-run.ts';

const PAGE = readFileSync(new URL('../../../docs/checks.md', import.meta.url), 'utf8');
const EXAMPLE = /```ts\n([^]*?)```/.exec(PAGE)?.[1] ?? '';
const BROKEN = ['x-models-not-cached', 'fail'];
const KEPT = ['x-model-named', 'pass'];

function verdictsIn(folder: string): readonly (readonly string[])[] {
  return readReport(folder).checks.map(({ id, verdict }) => [id, verdict]);
}

test('judges the documented checks of a user, in every report, and knows their failures from a baseline', async () => {
  const { command, folder, write } = makeProject({ 'checks.ts': EXAMPLE });
  const own = ['--checks', 'checks.ts'];
  const options = [...own, '--only', 'own', '--seed', '1', '--report', 'out'];
  const run = await resultOf(command('--mock', ...options, '--write-baseline', 'known.json'));
  expect({ code: run.code, warned: run.stderr.includes('Warning') }).toEqual({ code: 1, warned: false });
  const [, shown = ''] = /The mock passes [^]*?```\n([^]*?)```/.exec(PAGE) ?? [];
  expect(run.stdout).toContain(shown.trim());
  expect(run.stdout).toContain('--checks checks.ts --seed 1 --only x-models-not-cached');
  const out = join(folder, 'out');
  expect(verdictsIn(out)).toEqual([BROKEN, KEPT]);
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('classname="own"');
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('x-models-not-cached');
  expect(readFileSync(join(out, 'summary.md'), 'utf8')).toMatch(/x-model-named.*\| own \|/);

  // They are reported without their module, and judged again with it.
  await callCommand(['report', out, '--report', 'again'], {}, folder);
  expect(verdictsIn(join(folder, 'again'))).toEqual([BROKEN, KEPT]);
  const without = await callCommand(['report', '--rejudge', out], {}, folder);
  expect(without.stderr).toContain('without --checks FILE: x-models-not-cached x-model-named');
  const rejudged = await resultOf(command('report', '--rejudge', 'out', ...own, '--report', 'rejudged'));
  expect(rejudged.code).toBe(1);
  expect(verdictsIn(join(folder, 'rejudged'))).toEqual(expect.arrayContaining([BROKEN, KEPT]));

  write('chat-conformance.config.json', JSON.stringify({ checks: 'checks.ts', only: ['own'], seed: 1 }));
  expect((await resultOf(command('--mock', '--baseline', 'known.json'))).code).toBe(0);
});

test('lists and explains them with their module, and says what it takes without it', async () => {
  const { command } = makeProject({ 'checks.ts': EXAMPLE });
  const own = ['--checks', 'checks.ts'];
  const listed: unknown = JSON.parse((await resultOf(command('list', '--json', ...own))).stdout);
  const broken = { checks: expect.arrayContaining([expect.objectContaining({ id: BROKEN[0] })]) };
  expect(listed).toMatchObject(broken);
  const explained = await resultOf(command('explain', 'x-model-named', ...own));
  expect(explained.stdout).toContain('chat-conformance --checks checks.ts --only x-model-named');
  for (const args of [
    ['explain', 'x-model-named'],
    ['--mock', '--only', 'x-model-named'],
  ])
    expect(await callCommand(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--checks FILE'),
    });
});

test('says which line of theirs threw, and that it is theirs', async () => {
  const thrown = "throw new RangeError('mine');";
  const broken = EXAMPLE.replace("if (control.includes('no-store')) return HOLDS;", thrown);
  const line = broken.split('\n').findIndex((text) => text.includes('RangeError')) + 1;
  const { command } = makeProject({ 'checks.ts': broken });
  const run = await resultOf(command('--mock', '--checks', 'checks.ts', '--only', 'own', '--seed', '1'));
  expect(run.stdout).toContain(`reason    your check threw RangeError: mine (checks.ts:${line})`);
  expect(run.stdout).toContain('Incomplete: 1 check of your own threw an error');
  expect(run.code).toBe(3);
});

test('judges the checks of a program beside those of the package', async () => {
  const mock = await openMock();
  const own = check({
    id: 'x-models-served',
    title: 'serves the models',
    given: getStimulus('x-models', '/models', ['primary']),
    holds: ({ exchanges: [exchange] }) => (exchange === undefined ? notExercised('not sent') : HOLDS),
  });
  const listed = CHECKS.filter(({ id }) => id === 'models-can-be-listed');
  const { checks } = await runSuites(shortRun(targetOf(mock), { checks: [...listed, own] }));
  expect(checks.map(({ id, verdict }) => [id, verdict])).toContainEqual(['x-models-served', 'pass']);
});
