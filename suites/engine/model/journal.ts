import type { z } from 'zod';
import type { entrySchema } from './entry-schema.ts';
import type { Fixed } from './exchange.ts';

/** One line of a journal. No key is in any of them, in the spellings that `docs/journal.md` lists. */
export type Entry = Fixed<z.infer<typeof entrySchema>>;

type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>;

export type RunEntry = EntryOf<'run'>;
export type TargetInfoEntry = EntryOf<'survey'>;
export type SentEntry = EntryOf<'sent'>;
export type EndedEntry = EntryOf<'ended'>;
/** What a proxy knows of a request beside its exchange. */
export type PassedFacts = NonNullable<EndedEntry['passed']>;
export type TrialEntry = EntryOf<'trial'>;
export type InvariantEntry = EntryOf<'invariant'>;
export type FinishedEntry = EntryOf<'finished'>;

export type RecordedTarget = RunEntry['target'];
export type RecordedWay = NonNullable<RecordedTarget['way']>;
/** A check or an invariant, as reports name it. */
export type RecordedCriterion = RunEntry['checks'][number];
export type Simplification = NonNullable<TrialEntry['simplifies']>;

/** The append-only record of a run. */
export interface Journal {
  /**
   * Writes one line, and returns once it is written: the line survives the end of this process.
   * Never throws: after a failed write nothing more is written, and `failure` says why.
   */
  readonly append: (entry: Entry) => void;
  /** One line; undefined without a failure. */
  readonly failure: () => string | undefined;
}
