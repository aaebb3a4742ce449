import { fdatasyncSync, fstatSync, writeSync } from 'node:fs';
import type { Entry, Journal } from '../model/journal.ts';
import { errorCode } from '../files/read-json-file.ts';

export interface JournalOptions {
  /** How the file is called in messages. */
  readonly file: string;
  /** Takes every key out of the texts of a line. */
  readonly hide: (entry: Entry) => Entry;
  /** Whether what may cost something is on the disk itself before it is sent, so that not even a power cut loses it. */
  readonly isDurable: boolean;
}

/** A journal that is written to an open file, which stays the caller's to close. */
export function journalOn(fd: number, { file, hide, isDurable }: JournalOptions): Journal {
  let failure: string | undefined;
  const append = (entry: Entry): void => {
    if (failure !== undefined) return;
    try {
      writeWhole(fd, Buffer.from(`${JSON.stringify(hide(entry))}\n`));
      if (isDurable && costs(entry)) fdatasyncSync(fd);
      // What is written to a file that was removed is in no folder any more.
      if (entry.type === 'sent' && fstatSync(fd).nlink === 0) failure = `the journal ${file} was removed`;
    } catch (error) {
      failure = `the journal ${file} cannot be written (${errorCode(error)})`;
    }
  };
  return { append, failure: () => failure };
}

/** A disk that is nearly full takes a part, and refuses the rest. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

function costs(entry: Entry): boolean {
  return entry.type === 'sent' && entry.chargeable;
}

/** The journal cannot be written, and nothing was learnt that a report could hold: nothing more was sent. */
export class JournalWriteError extends Error {
  override readonly name = 'JournalWriteError';
}
