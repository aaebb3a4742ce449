import { closeSync, openSync, existsSync, renameSync, statSync } from 'node:fs';
import { journalOn } from '../../../suites/engine/journal/write-journal.ts';
import type { Journal } from '../../../suites/engine/model/journal.ts';
import type { RunOptions } from '../../../suites/engine/model/run.ts';
import { errorCode } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError } from '../terminal/exit.ts';
import { nameOfRun, PRIVATE_FILE } from '../terminal/write-file.ts';

/** The name of a journal in its report folder. */
export const JOURNAL = 'journal.ndjson';

export interface KeptJournal {
  readonly journal: Journal;
  readonly close: () => void;
}

/**
 * Begins the journal of a run. Moves an existing one aside, and calls `onNote`.
 * @throws {UsageError} When the file cannot be written.
 */
export function keepJournal(
  file: string,
  { target }: Pick<RunOptions, 'target'>,
  onNote: (line: string) => void = () => {},
): KeptJournal {
  const fd = openAfresh(file, onNote);
  const journal = journalOn(fd, { file, isDurable: target.kind === 'live' });
  return { journal, close: () => closeSync(fd) };
}

/**
 * Opens a new journal for appending. Moves an existing one aside, and calls `onNote`.
 * @throws {UsageError} When the file cannot be written.
 */
export function openAfresh(file: string, onNote: (line: string) => void): number {
  try {
    const note = setAsideJournal(file);
    if (note !== undefined) onNote(note);
    // Exclusive: does not overwrite the journal of a run that began meanwhile.
    return openSync(file, 'ax', PRIVATE_FILE);
  } catch (error) {
    throw new UsageError(`cannot begin the journal ${file} (${errorCode(error)})`);
  }
}

/** Moves the journal of an earlier run out of the way, under a name with its time. Returns where it is; undefined: there was none. */
export function setAsideJournal(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const aside = nameOfRun(file, statSync(file).mtime.toISOString());
  renameSync(file, aside);
  return `The journal of an earlier run is now ${aside}: chat-conformance report shows it, with its requests of unknown outcome`;
}
