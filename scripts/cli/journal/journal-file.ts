import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { JournalLines, JournalReadError } from '../../../suites/kit/journal/journal-lines.ts';
import { recordingOf } from '../../../suites/kit/journal/read-journal.ts';
import { linesOf } from '../../../suites/kit/journal/read-lines.ts';
import type { ReadJournal } from '../../../suites/kit/recorded/shards-of-one-run.ts';
import { reportHead } from '../reports/run-folders.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { JOURNAL } from './keep-journal.ts';

/**
 * Reads the run that a path stands for: a journal, a report folder, or the `report.json` in one.
 * Says so where its last line is incomplete.
 * @throws {UsageError} When there is no journal, or it cannot be read.
 */
export function readRun(path: string): ReadJournal {
  const lines = new JournalLines(journalAt(path));
  const recording = readable(() => recordingOf(lines, lines.file));
  if (recording.isTruncated) noteLine(`${lines.file}: ignored the last line, which is incomplete`);
  return { lines, recording };
}

/** The result of `read`; turns its JournalReadError into a UsageError. */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof JournalReadError ? new UsageError(error.message) : error;
  }
}

/**
 * The journal that a path stands for.
 * @throws {UsageError} When there is none.
 */
function journalAt(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`there is no ${path}`);
  if (stat.isDirectory()) return existing(join(path, JOURNAL), path);
  return path.endsWith('.json') ? journalBeside(path) : path;
}

function existing(file: string, path: string): string {
  if (existsSync(file)) return file;
  throw new UsageError(`${path} holds no ${JOURNAL}`);
}

/** The journal of the run of a report: reports cut bodies that journals hold. */
function journalBeside(report: string): string {
  const startedAt = startOf(report);
  const folder = dirname(report);
  const candidates = readdirSync(folder).filter((name) => /^journal.*\.ndjson$/.test(name));
  const found = candidates.map((name) => join(folder, name)).find((file) => beganAt(file, startedAt));
  if (found !== undefined) return found;
  throw new UsageError(
    `the journal of the run in ${report} is not beside it (${basename(folder)}/${JOURNAL})`,
  );
}

function startOf(report: string): string {
  const head = reportHead(report);
  if (head !== undefined) return head.startedAt;
  throw new UsageError(`${report} is neither a journal nor a report`);
}

/** Only its first line matters. */
function beganAt(file: string, startedAt: string): boolean {
  for (const line of linesOf(file)) return line.includes(`"startedAt":"${startedAt}"`);
  return false;
}
