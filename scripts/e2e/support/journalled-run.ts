import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import type { Mock } from '../../../mock-server/start-mock.ts';
import { CHECKS, INVARIANTS } from '../../../suites/catalogue.ts';
import { readJournal } from '../../../suites/engine/journal/read-journal.ts';
import type { Recording } from '../../../suites/engine/journal/recording.ts';
import { journalOn } from '../../../suites/engine/journal/write-journal.ts';
import type { RunOptions, Target } from '../../../suites/engine/model/run.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { runSuites } from '../../../suites/engine/running/run-suites.ts';

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same for all tests of a file. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shared-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A mock as the target of a run. */
export function targetOf({ url, keys }: Pick<Mock, 'url' | 'keys'>, more: Partial<Target> = {}): Target {
  const { primary = '', ...others } = keys;
  return { baseUrl: url, kind: 'mock', keys: { primary, ...others }, profile: {}, headers: {}, ...more };
}

/** The options of a short run of every check. */
export function shortRun(target: RunOptions['target'], more: Partial<RunOptions> = {}): RunOptions {
  return {
    target,
    checks: CHECKS,
    invariants: INVARIANTS,
    seed: 11,
    runs: 3,
    concurrency: 6,
    timeoutMs: 20_000,
    caps: { requests: Infinity, completions: Infinity, outputTokens: 16 },
    allow: new Set(['costly']),
    ...more,
  };
}

export interface JournalledRun {
  readonly file: string;
  readonly summary: Summary;
  readonly recording: Recording;
}

/** Runs with a journal, and reads it back. */
export async function journalledRun(options: RunOptions): Promise<JournalledRun> {
  const file = join(temporaryFolder(), 'journal.ndjson');
  const fd = openSync(file, 'ax');
  const journal = journalOn(fd, { file, isDurable: false });
  const summary = await runSuites({ ...options, journal });
  closeSync(fd);
  return { file, summary, recording: readJournal(file) };
}
