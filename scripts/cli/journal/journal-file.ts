import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JournalLines } from '../../../suites/engine/journal/read-journal.ts';
import { recordingOf } from '../../../suites/engine/journal/recording.ts';
import type { ReadRun } from '../../../suites/engine/running/recorded/shards.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { JOURNAL } from './keep-journal.ts';

/**
 * Reads the run that a path stands for: a journal, or a report folder.
 * @throws {FileError} When there is no journal, or it cannot be read.
 */
export function readRun(path: string): ReadRun {
  const lines = linesAt(path);
  const entries = [...lines];
  return { file: lines.file, entries, recording: recordingOf(entries, lines.file) };
}

/** Likewise the lines of its journal. Says so where the last line is incomplete. */
export function linesAt(path: string): JournalLines {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`there is no ${path}`);
  const file = stat.isDirectory() ? join(path, JOURNAL) : path;
  if (!existsSync(file)) throw new UsageError(`${path} holds no ${JOURNAL}`);
  const lines = new JournalLines(file);
  if (lines.isTruncated) noteLine(`${file}: ignored the last line, which is incomplete`);
  return lines;
}
