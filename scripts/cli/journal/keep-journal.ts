import type { Journal } from '../../../suites/kit/model/journal.ts';
import { closeSync, openSync } from 'node:fs';
import { journalOn } from '../../../suites/kit/journal/write-journal.ts';
import type { RunOptions } from '../../../suites/kit/model/run.ts';
import { redactorOf } from '../../../suites/kit/sending/redact.ts';
import { setAsideJournal } from './set-aside-journal.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { errorCode } from '../../../suites/kit/files/read-json-file.ts';

export interface KeptJournal {
  readonly journal: Journal;
  readonly close: () => void;
}

/**
 * Begins the journal of a run; one that is there already is moved aside, and `onNote` hears of it.
 * @throws {UsageError} When the file cannot be written.
 */
export async function keepJournal(
  file: string,
  { target, control }: Pick<RunOptions, 'target' | 'control'>,
  onNote: (line: string) => void = () => {},
): Promise<KeptJournal> {
  const fd = await openAfresh(file, onNote);
  const { value: hide } = redactorOf(target, control?.token);
  const journal = journalOn(fd, { file, hide, isDurable: target.kind === 'live' });
  return { journal, close: () => closeSync(fd) };
}

async function openAfresh(file: string, onNote: (line: string) => void): Promise<number> {
  try {
    const note = await setAsideJournal(file);
    if (note !== undefined) onNote(note);
    // Exclusive: should another run have begun one meanwhile, it is not written over.
    return openSync(file, 'ax');
  } catch (error) {
    throw new UsageError(`cannot begin the journal ${file} (${errorCode(error)})`);
  }
}
