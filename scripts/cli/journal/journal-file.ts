import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JournalLines } from '../../../suites/engine/journal/journal-lines.ts';
import { recordingOf } from '../../../suites/engine/journal/read-journal.ts';
import type { ReadJournal } from '../../../suites/engine/running/recorded/shards.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { JOURNAL } from './keep-journal.ts';

/**
 * Reads the run that a path stands for: a journal, or a report folder.
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

function journalAt(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`there is no ${path}`);
  if (!stat.isDirectory()) return path;
  const file = join(path, JOURNAL);
  if (existsSync(file)) return file;
  throw new UsageError(`${path} holds no ${JOURNAL}`);
}
