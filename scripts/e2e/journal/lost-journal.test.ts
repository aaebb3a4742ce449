import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import { COMMAND, resultOf, runCommand, spawnCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' };

function args(baseUrl: string, report: string): string[] {
  return ['--base-url', baseUrl, '--only', 'RES-1', '--seed', '3', '--quiet', '--report', report];
}

test('stops with exit code 3 and one line, and sends no more, given a folder that is removed', async () => {
  const report = join(temporaryFolder(), 'out');
  const { baseUrl, arrivals } = await startErringService((_arrival, _response, nth) => {
    if (nth === 4) rmSync(report, { recursive: true });
    return false;
  });
  const { code, stdout, stderr } = await runCommand(args(baseUrl, report), KEY);
  expect(stdout).toMatch(/Cut short: the journal .+ was removed: \d+ draws were not sent/);
  expect(stderr).toMatch(/^error: cannot write the reports to .+ \(ENOENT\)\n$/);
  expect(code).toBe(3);
  // Those in flight when it was removed, and none later.
  expect(arrivals.length).toBeLessThanOrEqual(4 + 4);
});

test('stops with exit code 3 and one line, and sends no more, given a folder that becomes a file', async () => {
  const report = join(temporaryFolder(), 'out');
  const { baseUrl, arrivals } = await startErringService((_arrival, _response, nth) => {
    if (nth !== 4) return false;
    rmSync(report, { recursive: true });
    writeFileSync(report, 'a file');
    return false;
  });
  const { code, stdout, stderr } = await runCommand(args(baseUrl, report), KEY);
  expect(stdout).toMatch(/Cut short: the journal .+ was removed: \d+ draws were not sent/);
  expect(stderr).toMatch(/^error: cannot write the reports to .+ \(ENOTDIR\)\n$/);
  expect(code).toBe(3);
  expect(arrivals.length).toBeLessThanOrEqual(4 + 4);
  expect(readFileSync(report, 'utf8')).toBe('a file');
});

test('stops with exit code 3 and one line, and sends no more, given a full disk', async () => {
  const report = join(temporaryFolder(), 'out');
  const { baseUrl, arrivals } = await startErringService();
  // No file of this process grows beyond so many blocks, which is what a full disk is to it.
  const limited = `ulimit -f 24; exec "$0" "$@"`;
  const child = spawn('sh', ['-c', limited, process.execPath, COMMAND, ...args(baseUrl, report)], {
    env: { ...process.env, ...KEY, NO_COLOR: '1', NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout } = await resultOf(child);
  expect(stdout).toMatch(/Cut short: the journal .+ cannot be written \(EFBIG\)/);
  expect(code).toBe(3);
  const journal = readFileSync(join(report, 'journal.ndjson'), 'utf8');
  const keys = arrivals
    .map(({ headers }) => headers[HEADERS.idempotencyKey])
    .filter((key) => key !== undefined);
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect(journal).toContain(key);
});

test('exits 3 with one line and sends nothing given a disk without room for the first line', async () => {
  const report = join(temporaryFolder(), 'out');
  const { baseUrl, arrivals } = await startErringService();
  const limited = `ulimit -f 0; exec "$0" "$@"`;
  mkdirSync(report);
  const child = spawn('sh', ['-c', limited, process.execPath, COMMAND, ...args(baseUrl, report)], {
    env: { ...process.env, ...KEY, NO_COLOR: '1', NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await resultOf(child);
  expect(stderr).toMatch(/^error: the journal .+ cannot be written \(EFBIG\)\n$/);
  expect({ code, stdout, sent: arrivals.length }).toEqual({ code: 3, stdout: '', sent: 0 });
});

test('exits 2 and sends nothing given a folder that is read-only', async () => {
  const report = temporaryFolder();
  writeFileSync(join(report, 'journal.ndjson'), 'Not a journal.');
  // Root may write anywhere, except where even root may not.
  const { baseUrl, arrivals } = await startErringService();
  chmodSync(report, 0o555);
  const target = process.getuid?.() === 0 ? '/proc/self' : report;
  const { code, stderr } = await runCommand(args(baseUrl, target), KEY);
  chmodSync(report, 0o755);
  expect(stderr).toMatch(/^error: cannot write to the report folder .+\n$/);
  expect({ code, sent: arrivals.length }).toEqual({ code: 2, sent: 0 });
});

test('renames an earlier journal in the folder, and says what it lists', async () => {
  const report = temporaryFolder();
  const dead = await startErringService((arrival, response) => {
    if (arrival.method === 'POST') response.destroy();
    return arrival.method === 'POST';
  });
  await runCommand(args(dead.baseUrl, report), KEY);
  const earlier = readFileSync(join(report, 'journal.ndjson'), 'utf8');
  const { baseUrl } = await startErringService();
  const { stderr } = await runCommand(args(baseUrl, report), KEY);
  expect(stderr).toMatch(/earlier run is now .+: it lists \d+ requests of unknown outcome, to be checked/);
  const aside = readdirSync(report).find((name) => /^journal-\d{4}-.+Z\.ndjson$/.test(name)) ?? '';
  expect(readFileSync(join(report, aside), 'utf8')).toBe(earlier);
});

test('keeps a journal by default given a live target, and says where', async () => {
  const { baseUrl } = await startErringService();
  const child = spawnCommand(['--base-url', baseUrl, '--only', 'models', '--max-requests', '9'], KEY);
  const { stderr } = await resultOf(child);
  expect(stderr).toMatch(/^journal and reports go to chat-conformance-report\/[\dTZ.-]+$/m);
  expect(stderr).toMatch(/^Written: chat-conformance-report\/[\dTZ.-]+\/report.json /m);
});
