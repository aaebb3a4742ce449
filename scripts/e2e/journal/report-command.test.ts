import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand, runCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' };

async function finishedRun(): Promise<string> {
  const { baseUrl } = await startErringService();
  const report = join(temporaryFolder(), 'out');
  await callCommand(
    ['--base-url', baseUrl, '--only', 'REQ-6', '--seed', '8', '--quiet', '--report', report],
    KEY,
  );
  return report;
}

test.each(['report', 'rejudge'])(
  '%s writes the report of the run again, without a request',
  async (command) => {
    const report = await finishedRun();
    const written = readFileSync(join(report, 'report.json'), 'utf8');
    const other = join(temporaryFolder(), 'made', 'again');
    const { code, stdout } = await runCommand([command, report, '--report', other]);
    expect(code).toBe(1);
    expect(stdout).toContain('again     chat-conformance replay ');
    // Checks that were not selected then are not exercised; rejudging adds nothing else.
    const [then, now] = [written, readFileSync(join(other, 'report.json'), 'utf8')].map((text) =>
      JSON.parse(text),
    );
    const ids = new Set(then.checks.map(({ id }: { id: string }) => id));
    expect(now.checks.filter(({ id }: { id: string }) => ids.has(id))).toEqual(then.checks);
    expect([now.outcome, now.spent, now.startedAt]).toEqual([then.outcome, then.spent, then.startedAt]);
    expect(command === 'report' ? now : then).toEqual(then);
  },
);

test('report writes every exchange as HAR, without a key', async () => {
  const report = await finishedRun();
  const file = join(temporaryFolder(), 'run.har');
  const { code, stderr } = await callCommand(['report', report, '--har', file, '--quiet']);
  expect([code, stderr]).toEqual([1, `wrote ${file}\n`]);
  const text = readFileSync(file, 'utf8');
  const { log }: { log: { entries: { request: { url: string }; response: { status: number } }[] } } =
    JSON.parse(text);
  const {
    spent,
    target: { baseUrl },
  }: { spent: { requests: number }; target: { baseUrl: string } } = JSON.parse(
    readFileSync(join(report, 'report.json'), 'utf8'),
  );
  expect(log.entries).toHaveLength(spent.requests);
  expect(
    log.entries.every(({ request, response }) => request.url.startsWith(baseUrl) && response.status > 0),
  ).toBe(true);
  expect(text).toContain('Bearer (a key: primary)');
  expect(text).not.toContain(KEY.CHAT_API_KEY);
});

test('report exits 2 with one line given a HAR file that cannot be written', async () => {
  const { code, stderr } = await callCommand(['report', await finishedRun(), '--har', '/nowhere/run.har']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^.*cannot write \/nowhere\/run\.har.*\n$/)]);
});

test('rejudge names each verdict that changed', async () => {
  const report = await finishedRun();
  const file = join(report, 'journal.ndjson');
  const lenient = readFileSync(file, 'utf8').replaceAll(
    /\{"kind":"violated","finding":\{[^}]*\}\}/g,
    '{"kind":"holds"}',
  );
  writeFileSync(file, lenient);
  const { code, stderr } = await callCommand(['rejudge', report, '--quiet']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Changed: unheard-of-field-refused was pass, and is fail now: expected .+$/m);
});

test('report says that the last line is incomplete', async () => {
  const report = await finishedRun();
  const file = join(report, 'journal.ndjson');
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9));
  const { code, stdout, stderr } = await callCommand(['report', file, '--quiet']);
  expect(stderr).toBe(`${file}: ignored the last line, which is incomplete\n`);
  expect(stdout).toContain('Cut short: the run was killed while 0 requests were in flight');
  expect(code).toBe(1);
});

test('finds the journal of the run that a report is about', async () => {
  const report = await finishedRun();
  const { baseUrl } = await startErringService();
  const copy = join(report, 'earlier.json');
  writeFileSync(copy, readFileSync(join(report, 'report.json')));
  await callCommand(
    ['--base-url', baseUrl, '--only', 'REQ-6', '--seed', '9', '--quiet', '--report', report],
    KEY,
  );
  expect((await callCommand(['report', copy])).stdout).toContain('seed 8');
  expect((await callCommand(['report', report])).stdout).toContain('seed 9');
});

test.each([
  ['a path that does not exist', (): string => '/nowhere/at/all', 'there is no /nowhere/at/all'],
  ['a folder without a journal', (): string => temporaryFolder(), 'holds no journal.ndjson'],
  [
    'a report without its journal',
    async (): Promise<string> => {
      const report = await finishedRun();
      rmSync(join(report, 'journal.ndjson'));
      return join(report, 'report.json');
    },
    'is not beside it',
  ],
  [
    'a JSON file of another kind',
    (): string => {
      const file = join(temporaryFolder(), 'some.json');
      writeFileSync(file, '[]');
      return file;
    },
    'is neither a journal nor a report',
  ],
])('exits 2 with one line given %s', async (_what, path, line) => {
  const { code, stdout, stderr } = await callCommand(['report', await path()]);
  expect(stderr).toMatch(/^error: .+\n$/);
  expect(stderr).toContain(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});
