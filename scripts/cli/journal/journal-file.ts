import { existsSync, openSync, renameSync, statSync } from 'node:fs';
import { errorCode } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { nameOfRun, PRIVATE_FILE } from '../terminal/write-file.ts';

/** The name of a journal in its report folder. */
export const JOURNAL = 'journal.ndjson';

/**
 * Opens a new journal for appending. Moves an existing one aside.
 * @throws {UsageError} When the file cannot be written.
 */
export function openAfresh(file: string): number {
  try {
    setAsideJournal(file);
    // Exclusive: does not overwrite the journal of a run that began meanwhile.
    return openSync(file, 'ax', PRIVATE_FILE);
  } catch (error) {
    throw new UsageError(`cannot begin the journal ${file} (${errorCode(error)})`);
  }
}

/** Moves the journal of an earlier run out of the way, under a name with its time, and says so. */
export function setAsideJournal(file: string): void {
  if (!existsSync(file)) return;
  const aside = nameOfRun(file, statSync(file).mtime.toISOString());
  renameSync(file, aside);
  noteLine(
    `The journal of an earlier run is now ${aside}: chat-conformance report shows it, with its requests of unknown outcome`,
  );
}
