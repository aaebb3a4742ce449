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
export async function keepJournal(
  file: string,
  { target }: Pick<RunOptions, 'target'>,
  onNote: (line: string) => void = () => {},
): Promise<KeptJournal> {
  const fd = await openAfresh(file, onNote);
  const journal = journalOn(fd, { file, isDurable: target.kind === 'live' });
  return { journal, close: () => closeSync(fd) };
}

/**
 * Opens a new journal for appending. Moves an existing one aside, and calls `onNote`.
 * @throws {UsageError} When the file cannot be written.
 */
export async function openAfresh(file: string, onNote: (line: string) => void): Promise<number> {
  try {
    const note = await setAsideJournal(file);
    if (note !== undefined) onNote(note);
    // Exclusive: does not overwrite the journal of a run that began meanwhile.
    return openSync(file, 'ax', PRIVATE_FILE);
  } catch (error) {
    throw new UsageError(`cannot begin the journal ${file} (${errorCode(error)})`);
  }
}

/**
 * Moves the journal of an earlier run out of the way, under a name with the time at which that run began. Returns what
 * the user has to know of it: where it is, and that it lists requests of unknown outcome. Undefined where there was none.
 */
export async function setAsideJournal(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const { startedAt, warning } = await lookedAt(file);
  const aside = nameOfRun(file, startedAt);
  renameSync(file, aside);
  return `The journal of an earlier run is now ${aside}${warning}`;
}

interface Looked {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly warning: string;
}

async function lookedAt(file: string): Promise<Looked> {
  const { readJournal } = await import('../../../suites/engine/journal/read-journal.ts');
  const { JournalReadError } = await import('../../../suites/engine/journal/journal-lines.ts');
  try {
    const { run, record } = readJournal(file);
    const { length } = record.filter(({ outcome, armed }) => outcome.kind === 'uncertain' && !armed);
    const many = length === 1 ? '1 request' : `${length} requests`;
    const warning =
      length === 0 ? '' : `: it lists ${many} of unknown outcome, to be checked in the workspace`;
    return { startedAt: run.startedAt, warning };
  } catch (error) {
    if (!(error instanceof JournalReadError)) throw error;
    return { startedAt: statSync(file).mtime.toISOString(), warning: ': it cannot be read' };
  }
}
