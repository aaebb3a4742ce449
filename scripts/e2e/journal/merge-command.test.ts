import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCommand, type CommandResult, runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'merge-'));
const out = (name: string): string => join(folder, name);
const SHARDS = ['1', '2', '3'].map(out);
const SMALL = ['--tier', 'smoke', '--only', 'models,REQ-6,streaming', '--quiet'];

function check(report: string, ...more: readonly string[]): Promise<CommandResult> {
  return callCommand([...SMALL, '--report', report, ...more]);
}

beforeAll(async () => {
  await check(out('whole'), '--seed', '5');
  for (const [i, shard] of SHARDS.entries()) await check(shard, '--seed', '5', '--shard', `${i + 1}/3`);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('writes the journal and the reports of the whole run', async () => {
  const report = join(temporaryFolder(), 'merged');
  const { code, stdout } = await runCommand(['merge', ...SHARDS.toReversed(), '--report', report]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Outcome: conformant') });
  const again = await callCommand(['report', report]);
  expect({ code: again.code, stdout: again.stdout }).toEqual({ code, stdout });
  const judged = await callCommand(['report', '--rejudge', report, '--quiet']);
  expect(judged).toMatchObject({ code: 0, stderr: expect.stringContaining('No verdict changed') });
  const diff = await callCommand(['diff', out('whole'), report]);
  expect(diff).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^0 worse, 0 better, 0 changed, 0 new, 0 gone/),
  });
});

test('reports an incomplete run given a missing shard, and says which', async () => {
  const { code, stdout } = await callCommand(['merge', ...SHARDS.slice(0, 2)]);
  expect(code).toBe(3);
  expect(stdout).toContain('shard 3/3 is missing');
  expect(stdout).toContain('its shard is missing');
});

test('reports an incomplete run given a killed shard, and counts its requests in flight', async () => {
  const [first = '', ...others] = SHARDS;
  const lines = readFileSync(join(first, 'journal.ndjson'), 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.includes('"type":"sent"'));
  const killed = join(temporaryFolder(), 'killed.ndjson');
  writeFileSync(killed, lines.slice(0, last + 1).join('\n') + '\n{"type":"en');
  const { code, stdout, stderr } = await callCommand(['merge', killed, ...others]);
  expect(code).toBe(3);
  expect(stdout).toMatch(/shard 1\/3: the run was killed while \d+ requests? (?:was|were) in flight/);
  expect(stderr).toContain(`${killed}: ignored the last line`);
});

test('refuses journals that are not the shards of one run', async () => {
  const [first = '', second = '', third = ''] = SHARDS;
  const otherRun = out('other-run');
  await check(otherRun, '--seed', '6', '--shard', '3/3');
  const merged = out('merged');
  await callCommand(['merge', ...SHARDS, '--quiet', '--report', merged]);
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [[first, second, otherRun], 'are shards of different runs: they differ in seed'],
    [[first, second, second], 'are both shard 2/3'],
    [[first, second, out('whole')], 'is not a shard: it is a whole run, made without --shard'],
    [[first, merged], 'is not a shard: it is already merged'],
    [[first, second, third, '--report', second], 'is the folder of a shard'],
    [[first, out('nowhere')], 'there is no'],
    [[], "missing required argument 'journals'"],
  ];
  for (const [args, line] of wrong) {
    const { code, stdout, stderr } = await callCommand(['merge', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .+\n$/);
    expect(stderr).toContain(line);
  }
}, 60_000);

test.each([
  ['0/3', 'i/n'],
  ['4/3', 'i/n'],
  ['x', 'i/n'],
  ['1/3/5', 'i/n'],
])('exits 2 with one line given --shard %s', async (shard, line) => {
  const { code, stdout, stderr } = await callCommand(['--seed', '1', '--shard', shard]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: .+\n$/);
  expect(stderr).toContain(line);
});

test('requires a seed, and a request for each shard', async () => {
  const seedless = await callCommand(['--shard', '1/3']);
  expect(seedless).toMatchObject({ code: 2, stderr: expect.stringContaining('--shard requires --seed') });
  const few = await callCommand(['--seed', '1', '--max-requests', '2', '--shard', '1/3']);
  expect(few).toMatchObject({ code: 2, stderr: expect.stringContaining('3 shards cannot share 2 requests') });
});

test('plans the share of a shard, and says when it has no check', async () => {
  const args = ['--seed', '1', '--only', 'models', '--plan'];
  const second = await callCommand([...args, '--shard', '2/3', '--max-requests', '100']);
  expect(second.stderr).toMatch(/^shard 2\/3: \d of \d checks\n$/);
  expect(second.stdout).toMatch(/^Nothing was sent. Limits: \d+ requests/);
  const idle = await callCommand([...args, '--shard', '99/99']);
  expect(idle.stderr).toContain('shard 99/99 has no check: there are fewer kinds of requests than shards');
});

test('merges a run with more shards than kinds of requests', async () => {
  const reports = ['a', 'b', 'c', 'd'].map(out);
  for (const [i, report] of reports.entries())
    await callCommand([
      '--seed',
      '2',
      '--only',
      'models-can-be-listed,chat-served',
      '--quiet',
      '--report',
      report,
      '--shard',
      `${i + 1}/4`,
    ]);
  const { code, stdout } = await callCommand(['merge', ...reports]);
  expect(stdout).toContain('Outcome: conformant');
  expect(code).toBe(0);
}, 60_000);
