import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock, type Mock, type MockOptions } from '../../../mock-server/start-mock.ts';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { callCommand, type CommandResult } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

async function served(options: MockOptions): Promise<Mock> {
  const mock = await startMock(options);
  onTestFinished(() => mock.close().catch(() => {}));
  return mock;
}

function checked(folder: string, { url, keys }: Mock, ...args: string[]): Promise<CommandResult> {
  const environment = { CHAT_API_KEY: keys['primary'] ?? '' };
  return callCommand(['--base-url', url, '--seed', '3', '--tier', 'smoke', ...args], environment, folder);
}

const TWO = ['--only', 'unheard-of-field-refused,models-can-be-listed'];
const count = (checks: number): RegExp => new RegExp(`^${checks} checks?: `, 'm');

test('checks only what failed when the same target was last checked, and everything once nothing failed', async () => {
  const folder = temporaryFolder();
  const broken = await served({ defect: 'unknown-fields-stripped' });
  const other = await served({});
  expect((await checked(folder, broken, ...TWO)).code).toBe(1);
  // A run of another target in between, and one of the check that passed, change nothing.
  await checked(folder, other, ...TWO);
  await checked(folder, broken, '--only', 'models-can-be-listed');
  const again = await checked(folder, broken, '--last-failed');
  expect(again.code).toBe(1);
  expect(again.stdout).toMatch(count(1));
  expect(again.stdout).toContain('unheard-of-field-refused');
  const port = Number(new URL(broken.url).port);
  await broken.close();
  const mended = await served({ port });
  expect(await checked(folder, mended, '--last-failed')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(count(1)),
  });
  const whole = await checked(folder, mended, '--last-failed', '--skip', 'limits');
  expect(whole.stderr).toContain('Nothing failed in the last run of this target: checking everything.');
  expect(whole.stdout).not.toMatch(count(1));
});

/** Whether a chat has a field besides the five known ones. */
function hasUnknownField(body: string): boolean {
  const known = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);
  return body !== '' && !Object.keys(JSON.parse(body)).every((name) => known.has(name));
}

const KEY = { CHAT_API_KEY: 'sk-a-key-of-this-test-0123' };
const PART = ['--tier', 'smoke', '--skip', 'streaming', '--report', 'out'];

test('sends the input that failed again, whatever the seed, and remembers it until it is fixed', async () => {
  const folder = temporaryFolder();
  let status = 200;
  let errors = 0;
  const { baseUrl, arrivals } = await startErringService(({ body }, response) => {
    if (status === 200 || !hasUnknownField(String(body))) return false;
    const error = { code: 'unknown_field', message: 'No.', request_id: `r-${(errors += 1)}` };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return true;
  });
  const run = async (...args: readonly string[]): Promise<readonly [number | null, string | undefined]> => {
    const { code, stdout } = await callCommand(['--base-url', baseUrl, ...PART, ...args], KEY, folder);
    return [code, stdout.trimEnd().split('\n').at(-1)];
  };
  const wrong = (): readonly string[] => arrivals.map(({ body }) => String(body)).filter(hasUnknownField);
  const only = ['--only', 'unheard-of-field-refused'];
  await run(...only, '--seed', '1');
  const shown = readReport(join(folder, 'out')).checks[0]?.evidence[0]?.exchange.request.body;
  const before = wrong().length;
  await run('--only', 'models-can-be-listed');
  status = 500;
  expect(await run(...only, '--last-failed', '--seed', '2')).toEqual([
    1,
    'Undecided: unheard-of-field-refused · New: never-fails',
  ]);
  expect(wrong()[before]).toBe(shown);
  status = 400;
  expect(await run(...only)).toEqual([0, 'Fixed: unheard-of-field-refused']);
  expect(await run('--only', 'unheard-of-field-refused,never-fails', '--last-failed')).toEqual([
    3,
    'Undecided: never-fails',
  ]);
});
