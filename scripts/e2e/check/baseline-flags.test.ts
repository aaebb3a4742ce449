import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KnownFailure } from '../../../suites/kit/baseline/read-baseline.ts';
import { type CommandResult, callCommand } from '../support/command.ts';
import { type CountingServer, startCountingServer } from '../support/counting-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
const made = join(folder, 'made.json');
let server: CountingServer;

/** Accepts every request, so that it violates REQ-6 and keeps VIS-1. */
beforeAll(async () => {
  const message = { role: 'assistant', content: 'Hello.' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const all = { data: [{ id: 'any-1' }], choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
  server = await startCountingServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(all));
  });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function check(...more: readonly string[]): Promise<CommandResult> {
  const args = ['--base-url', `${server.origin}/v1`, '--seed', '5', '--only', 'REQ-6,VIS-1', ...more];
  return callCommand(args, { CHAT_API_KEY: 'sk-a-key-of-this-test-0123' });
}

function listed(file: string): readonly KnownFailure[] {
  const { known }: { known: readonly KnownFailure[] } = JSON.parse(readFileSync(file, 'utf8'));
  return known;
}

function fileOf(name: string, known: readonly object[]): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ format: 'chat-conformance/baseline', version: 1, known }));
  return file;
}

test('writes a baseline with which the same run exits 0 and shows the known failures', async () => {
  expect(await check('--write-baseline', made)).toMatchObject({ code: 1 });
  expect(listed(made).length).toBeGreaterThan(0);
  const { code, stdout } = await check('--baseline', made);
  expect(code).toBe(0);
  expect(stdout).toContain('Known failures\n  known-parameter-refused: to be explained: ');
  expect(stdout).toMatch(/^Outcome: conformant \(apart from \d+ known failures\)$/m);
});

test('exits 0 although known failures leave no room under a cap', async () => {
  const { code, stdout } = await check('--baseline', made, '--max-completions', '2');
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/cap of 2 completions was reached: known failures were not all sent again/),
  });
});

test('keeps the reasons when it rewrites a baseline', async () => {
  const known = listed(made).map((entry) => ({ ...entry, reason: 'mended in spring', until: '2999-12-31' }));
  const file = fileOf('kept.json', known);
  await check('--write-baseline', file);
  expect(listed(file)).toEqual(known);
});

test.each([
  ['passes', { check: 'vision-answers-get' }, 'Baseline out of date: vision-answers-get no longer fails'],
  ['has expired', { check: 'known-parameter-refused', until: '2020-01-31' }, 'was accepted until 2020-01-31'],
  [
    'lists another failure',
    { check: 'known-parameter-refused', failure: { code: 'x' } },
    'known-parameter-refused (x) is known, and did not occur in the ',
  ],
])('exits 1 given an entry that %s', async (_what, entry, line) => {
  const others = listed(made).filter(({ check: id }) => id !== entry.check);
  const { code, stdout } = await check(
    '--baseline',
    fileOf('stale.json', [...others, { reason: 'r', ...entry }]),
  );
  expect(code).toBe(1);
  expect(stdout).toContain(line);
  expect(stdout).toContain('\nOutcome: violations');
});

test('exits 0 given an entry whose check was not selected', async () => {
  const file = fileOf('elsewhere.json', [...listed(made), { check: 'chat-served', reason: 'r' }]);
  expect(await check('--baseline', file)).toMatchObject({ code: 0 });
});

test('exits 2 and sends nothing given a baseline that names no check, or cannot be written', async () => {
  const before = server.count();
  const file = fileOf('misspelt.json', [{ check: 'chat-servd', reason: 'r' }]);
  const misspelt = await check('--baseline', file);
  expect(misspelt).toMatchObject({ code: 2, stdout: '' });
  expect(misspelt.stderr).toMatch(/^error: .*#\/known\/0\/check: .*did you mean chat-served\?\n$/);
  expect(await check('--write-baseline', file)).toMatchObject({ code: 2, stdout: '' });
  const nowhere = await check('--write-baseline', join(folder, 'none', 'b.json'));
  expect(nowhere).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('cannot write') });
  expect(server.count()).toBe(before);
});
