import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { JournalLines } from '../../../suites/kit/journal/journal-lines.ts';
import { recordingOf, runOf } from '../../../suites/kit/journal/read-journal.ts';
import type { ReadJournal } from '../../../suites/kit/recorded/shards.ts';
import { reportHead } from '../reports/run-folders.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { timeInName } from '../terminal/write-file.ts';
import { JOURNAL } from './keep-journal.ts';

/**
 * Reads the run that a path stands for: a journal, a report folder, or the `report.json` in one.
 * @throws {FileError} When there is no journal, or it cannot be read.
 */
export function readRun(path: string): ReadJournal {
  const lines = linesAt(path);
  return { lines, recording: recordingOf(lines, lines.file) };
}

/** Likewise the lines of its journal. Says so where the last line is incomplete. */
export function linesAt(path: string): JournalLines {
  const lines = new JournalLines(journalAt(path));
  if (lines.isTruncated) noteLine(`${lines.file}: ignored the last line, which is incomplete`);
  return lines;
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
  const head = reportHead(report);
  if (head === undefined) throw new UsageError(`${report} is neither a journal nor a report`);
  const { startedAt } = head;
  const folder = dirname(report);
  const aside = join(folder, `journal-${timeInName(startedAt)}.ndjson`);
  if (existsSync(aside)) return aside;
  const latest = join(folder, JOURNAL);
  if (existsSync(latest) && runOf(new JournalLines(latest), latest).startedAt === startedAt) return latest;
  throw new UsageError(
    `the journal of the run in ${report} is not beside it (${basename(folder)}/${JOURNAL})`,
  );
}
