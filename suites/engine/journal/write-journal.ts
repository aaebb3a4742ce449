import { fdatasyncSync, fstatSync, writeSync } from 'node:fs';
import { isOwn, type JudgedDraw } from '../model/check.ts';
import type { Entry, Journal, Simplification, TrialEntry } from '../model/journal.ts';
import type { Trial } from '../model/stimulus.ts';
import { errorCode } from '../text/read-json-file.ts';
import { trialEntry } from './entries.ts';
import { journalLine } from './journal-line.ts';

/** The journal cannot be written, and nothing was found that a report could show. No further request was sent. */
export class JournalWriteError extends Error {
  override readonly name = 'JournalWriteError';
}

interface JournalOptions {
  /** The name of the file in messages. */
  readonly file: string;
  /** Whether a line is flushed to disk before its chargeable request leaves, so that it survives a power cut. */
  readonly isDurable: boolean;
}

/** Writes a journal to a file that is open for appending, which the caller closes. */
export function journalOn(fd: number, { file, isDurable }: JournalOptions): Journal {
  let failure: string | undefined;
  const append = (entry: Entry): void => {
    if (failure !== undefined) return;
    try {
      writeWhole(fd, Buffer.from(journalLine(entry)));
      if (isDurable && entry.type === 'sent' && entry.chargeable) fdatasyncSync(fd);
      // A removed file has no path by which it could be read.
      if (entry.type === 'sent' && fstatSync(fd).nlink === 0) failure = `the journal ${file} was removed`;
    } catch (error) {
      failure = `the journal ${file} cannot be written (${errorCode(error)})`;
    }
  };
  return { append, failure: () => failure };
}

/** A disk that is nearly full writes a part, and refuses the rest. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

/** The judged draws of a run, in the journal and in order: each with its place in the plan, since draws end in another order. */
export class TrialRecord {
  readonly #journal: Journal | undefined;
  readonly #redacted: (value: TrialEntry['data']) => TrialEntry['data'];
  readonly #places = new Map<string, number>();
  readonly #trials: Trial[] = [];
  #next = 0;

  /** `redacted` takes keys out of a value that the code of a user made. */
  constructor(journal: Journal | undefined, redacted: (value: TrialEntry['data']) => TrialEntry['data']) {
    this.#journal = journal;
    this.#redacted = redacted;
  }

  plan(draws: readonly { readonly id: string }[]): void {
    for (const { id } of draws) this.#places.set(id, this.#next++);
  }

  add(judged: JudgedDraw, simplifies?: Simplification): void {
    const nth = this.#places.get(judged.id) ?? this.#next++;
    this.#trials[nth] = judged.trial;
    const entry = trialEntry(judged, nth, simplifies);
    const data = isOwn({ id: judged.stimulus }) ? this.#redacted(entry.data) : entry.data;
    this.#journal?.append({ ...entry, data });
  }

  inOrder(): readonly Trial[] {
    return this.#trials.filter((trial) => trial !== undefined);
  }
}
