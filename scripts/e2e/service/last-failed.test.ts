import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock, type Mock, type MockOptions } from '../../../mock-server/start-mock.ts';
import { readReport } from '../../../suites/kit/reporting/read-report.ts';
import { type CommandResult, resultOf } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { makeProject, type Project } from './project.ts';

async function served(options: MockOptions): Promise<Mock> {
  const mock = await startMock(options);
  onTestFinished(() => mock.close().catch(() => {}));
  return mock;
}

function checked({ command }: Project, { url }: Mock, ...args: string[]): Promise<CommandResult> {
  return resultOf(command('--base-url', url, '--seed', '3', ...args));
}

const TWO = ['--only', 'unheard-of-field-refused,models-can-be-listed'];
const count = (checks: number): RegExp => new RegExp(`^${checks} checks: `, 'm');

test('checks only what failed when the same target was last checked, and everything once nothing failed', async () => {
  const project = makeProject();
  const broken = await served({ defect: 'unknown-fields-stripped' });
  const other = await served({});
  expect((await checked(project, broken, ...TWO)).code).toBe(1);
  // A run of another target in between, and one of the check that passed, change nothing.
  await checked(project, other, ...TWO);
  await checked(project, broken, '--only', 'models-can-be-listed');
  const again = await checked(project, broken, '--last-failed');
  expect(again.code).toBe(1);
  expect(again.stdout).toMatch(count(1));
  expect(again.stdout).toContain('unheard-of-field-refused');
  const port = Number(new URL(broken.url).port);
  await broken.close();
  const mended = await served({ port });
  expect(await checked(project, mended, '--last-failed')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(count(1)),
  });
  const whole = await checked(project, mended, '--last-failed', '--tier', 'smoke', '--skip', 'limits');
  expect(whole.stderr).toContain('Nothing failed in the last run of this target: checking everything.');
  expect(whole.stdout).not.toMatch(count(1));
});

/** Whether a chat has a field besides the five known ones. */
function hasUnknownField(body: string): boolean {
  const known = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);
  return body !== '' && !Object.keys(JSON.parse(body)).every((name) => known.has(name));
}

let errors = 0;

/** An error object as it must be, whatever the status. */
function refuse(response: ServerResponse, status = 400): void {
  const error = { code: 'unknown_field', message: 'No.', request_id: `r-${(errors += 1)}` };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

test.each<[string, (response: ServerResponse) => void]>([
  ['Fixed', (response) => refuse(response)],
  ['Undecided', (response) => void response.destroy()],
])('sends the input that failed again, whatever the seed, and says "%s"', async (word, answer) => {
  const project = makeProject();
  // The service knows no streams.
  const only = ['--only', 'unheard-of-field-refused', '--skip', 'streaming', '--tier', 'smoke'];
  let isMended = false;
  const { baseUrl, arrivals } = await startErringService(({ body }, response) => {
    if (!isMended || !hasUnknownField(String(body))) return false;
    answer(response);
    return true;
  });
  const run = (...args: readonly string[]): Promise<CommandResult> =>
    resultOf(project.command('--base-url', baseUrl, ...only, ...args));
  const wrong = (): readonly string[] => arrivals.map(({ body }) => String(body)).filter(hasUnknownField);
  await run('--seed', '1', '--report', 'out');
  const [failed] = readReport(join(project.folder, 'out')).checks;
  const shown = failed?.evidence[0]?.exchange.request.body;
  const before = wrong().length;
  isMended = true;
  const { stdout } = await run('--last-failed', '--seed', '2', '--report', 'out');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`${word}: unheard-of-field-refused`);
  expect(wrong()[before]).toBe(shown);
});

/** What a report of others says of a failure: any request, for a check that passes. */
const FORGED = {
  id: 'responses-api-absent',
  verdict: 'fail',
  reason: 'x',
  failures: [{ code: 'accepted', trials: 1 }],
};
const FORGED_DRAFT = {
  method: 'DELETE',
  path: '/files/0',
  headers: { 'x-other': '1', host: 'elsewhere.example' },
};

const PART = ['--tier', 'smoke', '--skip', 'streaming', '--report', 'out'];

test('says how what failed before fails now, and remembers what is not fixed when another run checks something else', async () => {
  const project = makeProject();
  let status = 200;
  const { baseUrl } = await startErringService(({ body }, response) => {
    if (status === 200 || !hasUnknownField(String(body))) return false;
    refuse(response, status);
    return true;
  });
  const run = async (...args: readonly string[]): Promise<readonly [number | null, string | undefined]> => {
    const { code, stdout } = await resultOf(project.command('--base-url', baseUrl, ...PART, ...args));
    return [code, stdout.trimEnd().split('\n').at(-1)];
  };
  const only = ['--only', 'unheard-of-field-refused'];
  await run(...only);
  await run('--only', 'models-can-be-listed');
  status = 500;
  expect(await run(...only, '--last-failed')).toEqual([
    1,
    'Fails differently: unheard-of-field-refused · New: never-fails',
  ]);
  status = 400;
  expect(await run(...only)).toEqual([0, 'Fixed: unheard-of-field-refused']);
  expect(await run('--only', 'unheard-of-field-refused,never-fails', '--last-failed')).toEqual([
    3,
    'Not seen again (a whole run as large as before decides): never-fails',
  ]);
});

test('sends no request that a report names and its check does not make, and is not content without it', async () => {
  const project = makeProject();
  const { baseUrl, arrivals } = await startErringService(({ path, body }, response) => {
    if (!path.includes('/responses') && !body.includes('"input"')) return false;
    refuse(response, 404);
    return true;
  });
  const run = (...args: readonly string[]): Promise<CommandResult> =>
    resultOf(project.command('--base-url', baseUrl, '--tier', 'smoke', '--report', 'out', ...args));
  await run('--only', 'responses-api-absent,unheard-of-field-refused');
  const file = join(project.folder, 'out', 'report.json');
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const input = { stimulus: 'responses-api', text: JSON.stringify(FORGED_DRAFT), origin: '4' };
  const checks = report.checks.map((each: { id: string }) =>
    each.id === FORGED.id ? { ...each, ...FORGED } : each,
  );
  const remembered = [{ check: FORGED.id, code: 'accepted', input }];
  writeFileSync(file, JSON.stringify({ ...report, checks, remembered }));
  const { code, stdout } = await run('--last-failed', '--only', 'responses-api-absent');
  expect(arrivals.filter(({ path, headers }) => path === '/v1/files/0' || 'x-other' in headers)).toEqual([]);
  expect(code).toBe(3);
  expect(stdout).toContain(
    'this run does not decide whether what failed before is fixed (responses-api-absent): a whole run with the same options decides',
  );
});

test('checks a failed invariant on the kinds of requests that broke it', async () => {
  const project = makeProject();
  const broken = await served({ defect: 'errors-without-message' });
  const first = await checked(project, broken, '--tier', 'smoke');
  expect(first.code).toBe(1);
  const again = await checked(project, broken, '--last-failed', '--tier', 'smoke');
  expect(again.code).toBe(1);
  const failing = (text: string): readonly string[] =>
    [...text.matchAll(/^ {2}✘ ([\w-]+)/gm)].map(([, id = '']) => id).toSorted();
  expect(failing(first.stdout)).toContain('error-object');
  expect(failing(again.stdout)).toEqual(failing(first.stdout));
});

test('fails a selected check that decides nothing on the invariant that fails in its place', async () => {
  const { baseUrl } = await startErringService(({ body }, response) => {
    if (!hasUnknownField(String(body))) return false;
    refuse(response, 500);
    return true;
  });
  const only = ['--only', 'unheard-of-field-refused', '--skip', 'streaming', '--report', 'out'];
  const { folder, command } = makeProject();
  expect((await resultOf(command('--base-url', baseUrl, ...only))).code).toBe(1);
  const { checks } = readReport(join(folder, 'out'));
  expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['unheard-of-field-refused', 'inconclusive'],
    ['never-fails', 'fail'],
  ]);
});

test('stops once as many checks have failed as --max-failures says', async () => {
  const broken = await served({ defect: 'unknown-fields-stripped' });
  const { code, stdout } = await checked(makeProject(), broken, '--max-failures', '1');
  expect(code).toBe(1);
  expect(stdout).toMatch(/--max-failures 1 is reached: \d+ draws were not sent/);
});
