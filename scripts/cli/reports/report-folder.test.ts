import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveFlags } from '../config/resolve-flags.ts';
import { lastRunOf, makeReportFolder, recentRuns, RUNS_FOLDER } from './report-folder.ts';

const before = process.cwd();
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runs-'));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

/** The folder of a run that started in this second of an hour. */
function made(second: number, files: readonly string[] = ['journal.ndjson', 'report.json']): string {
  const run = makeReportFolder(undefined, 7, new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
  for (const file of files) writeFileSync(join(run, file), '');
  return run;
}

test('names a folder by the time and the seed, without what Windows forbids', () => {
  expect(makeReportFolder(undefined, 42, new Date(0))).toBe(join(RUNS_FOLDER, '1970-01-01T00-00-00.000Z-42'));
});

test('points "latest" at the last run', () => {
  made(1);
  const last = made(2);
  expect(join(RUNS_FOLDER, readlinkSync(join(RUNS_FOLDER, 'latest')))).toBe(last);
});

test('keeps ten runs', () => {
  const runs = Array.from({ length: 13 }, (_, i) => made(i));
  expect(recentRuns()).toEqual(runs.slice(3).toReversed());
});

test('deletes no folder that it did not make, nor one that holds a file of somebody else', () => {
  const noted = made(0, ['journal.ndjson', 'notes.txt']);
  mkdirSync(join(RUNS_FOLDER, 'baseline-of-2025'));
  mkdirSync(join(RUNS_FOLDER, '2025-01-01'));
  for (let second = 1; second < 13; second += 1) made(second);
  const left = readdirSync(RUNS_FOLDER);
  expect(left).toContain('baseline-of-2025');
  expect(left).toContain('2025-01-01');
  expect(readdirSync(noted).toSorted()).toEqual(['journal.ndjson', 'notes.txt']);
});

test('keeps the run that begins where a clock was ahead of its own', () => {
  for (let second = 20; second < 30; second += 1) made(second);
  const late = made(1);
  expect(readdirSync(late)).toEqual(['journal.ndjson', 'report.json']);
  expect(recentRuns()).toHaveLength(10);
});

test('leaves a "latest" alone that is no link', () => {
  mkdirSync(join(RUNS_FOLDER, 'latest'), { recursive: true });
  writeFileSync(join(RUNS_FOLDER, 'latest', 'mine'), '');
  made(1);
  expect(readdirSync(join(RUNS_FOLDER, 'latest'))).toEqual(['mine']);
});

const KEPT = join(RUNS_FOLDER, '2026-01-01T00-00-00.000Z-7');
const [STAGING, FREE] = ['https://staging.example/v1', 'http://127.0.0.1:{port}/v1'];
const LOCAL = 'http://127.0.0.1:81/v1';

test.each([
  ['a run of its base URL', { baseUrl: STAGING }, KEPT, { baseUrl: STAGING }, true],
  ['its folder in that of several', { baseUrl: STAGING, report: 'rep' }, 'rep/a', { baseUrl: STAGING }, true],
  ['the service that got a port', { baseUrl: FREE }, KEPT, { baseUrl: LOCAL, name: 'a' }, true],
  ['another one that got a port', { baseUrl: FREE }, KEPT, { baseUrl: LOCAL, name: 'b' }, false],
  ['another base URL', { baseUrl: STAGING }, KEPT, { baseUrl: LOCAL, name: 'a' }, false],
])('finds the last run of a target: %s', async (_, settings, place, target, isFound) => {
  const report = { format: 'chat-conformance/report', startedAt: '', target: { kind: 'live', ...target } };
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'report.json'), JSON.stringify(report));
  writeFileSync('chat-conformance.config.json', JSON.stringify({ targets: { a: settings } }));
  const flags = await resolveFlags({ target: 'a' });
  expect(lastRunOf(flags)).toBe(isFound ? join(place) : undefined);
});
