import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KnownFailure } from '../../../suites/kit/model/known-failure.ts';
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

function outcomeIn(stdout: string): string | undefined {
  return /^Outcome: .*$/m.exec(stdout)?.[0];
}

/** A report from a journal names no options beside the target and the seed. */
function withoutAgain(report: string): string {
  return report.replaceAll(/\n *"again": .*/g, '');
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

test('is reported from its journal with the same outcome, and as killed where it was', async () => {
  const out = join(folder, 'out');
  const run = await check('--baseline', made, '--fail-on', 'not-exercised', '--report', out);
  const text = readFileSync(join(out, 'report.json'), 'utf8');
  expect(run).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/apart from \d+ known failures; by --fail-on/),
  });
  const again = join(folder, 'again');
  expect(await callCommand(['report', out, '--report', again])).toMatchObject({ code: 1 });
  expect(withoutAgain(readFileSync(join(again, 'report.json'), 'utf8'))).toBe(withoutAgain(text));
  const gate = await check('--baseline', made, '--report', join(folder, 'gate'));
  const same = await callCommand(['report', join(folder, 'gate')]);
  expect([same.code, outcomeIn(same.stdout)]).toEqual([0, outcomeIn(gate.stdout)]);
  // All checks of this release judge then, also those that were not selected.
  const judged = await callCommand(['report', '--rejudge', join(folder, 'gate')]);
  expect(outcomeIn(judged.stdout)).toMatch(/apart from \d+ known failures/);
  const other = await callCommand(['report', join(folder, 'gate'), '--baseline', fileOf('none.json', [])]);
  expect([other.code, outcomeIn(other.stdout)]).toEqual([1, 'Outcome: violations']);
  const lines = readFileSync(join(folder, 'gate', 'journal.ndjson'), 'utf8').split('\n');
  const killed = join(folder, 'killed.ndjson');
  for (const [kept, outcome] of [
    [lines.length - 2, /^Outcome: incomplete \(apart from \d+ known failures\)$/],
    // What was not reached is not out of date.
    [1 + lines.findIndex((line) => line.includes('"type":"survey"')), /^Outcome: incomplete$/],
  ] as const) {
    writeFileSync(killed, `${lines.slice(0, kept).join('\n')}\n`);
    const { code, stdout } = await callCommand(['report', killed]);
    expect([code, outcomeIn(stdout)]).toEqual([3, expect.stringMatching(outcome)]);
  }
});

test('refuses a journal of too many known failures, or one without a reason', async () => {
  const journal = join(folder, 'known.ndjson');
  await check('--baseline', made, '--report', join(folder, 'few'));
  const [first = '', ...rest] = readFileSync(join(folder, 'few', 'journal.ndjson'), 'utf8').split('\n');
  const entry = { check: 'chat-served', reason: 'r' };
  for (const [known, place] of [
    [Array.from({ length: 5001 }, () => entry), 'known'],
    [[{ ...entry, reason: ' ' }], 'known/0/reason'],
  ] as const) {
    writeFileSync(journal, [JSON.stringify({ ...JSON.parse(first), known }), ...rest].join('\n'));
    const { code, stderr } = await callCommand(['report', journal]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`known.ndjson:1#/${place}: `)]);
  }
});

test('is merged with the baseline of its shards, or with another', async () => {
  const shards = ['1', '2'].map((name) => join(folder, name));
  for (const [i, shard] of shards.entries())
    await check('--baseline', made, '--shard', `${i + 1}/2`, '--report', shard);
  const whole = join(folder, 'whole');
  const { code, stdout } = await callCommand(['merge', ...shards, '--report', whole]);
  expect([code, outcomeIn(stdout)]).toEqual([0, expect.stringMatching(/^Outcome: conformant \(apart from/)]);
  expect(await callCommand(['report', whole])).toMatchObject({ code: 0, stdout });
  const none = fileOf('empty.json', []);
  expect(await callCommand(['merge', ...shards, '--report', whole, '--baseline', none])).toMatchObject({
    code: 1,
  });
  expect(await callCommand(['report', whole])).toMatchObject({ code: 1 });
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
