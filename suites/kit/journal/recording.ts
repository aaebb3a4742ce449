import type { Exchange } from '../model/exchange.ts';
import type { Survey } from '../model/target-info.ts';
import type { Trial } from '../model/trial.ts';
import type { FinishedEntry, InvariantEntry, RunEntry, TrialEntry } from './entry.ts';

/** A run as its journal holds it. */
export interface Recording {
  readonly run: RunEntry;
  /** Undefined where the preflight did not end. */
  readonly survey: Survey | undefined;
  /** Every exchange in the order of their ends, those under way last. */
  readonly record: readonly Exchange[];
  /** IDs of the exchanges of which at least a byte may have left. */
  readonly sent: ReadonlySet<string>;
  /** Those that no end was recorded of: their outcome is unknown. */
  readonly underWay: readonly Exchange[];
  /** Idempotency-Keys of requests that the workspace has shown the end of. */
  readonly shown: ReadonlySet<string>;
  /** In the order of the plan. */
  readonly trials: readonly RecordedTrial[];
  readonly invariants: readonly InvariantEntry[];
  /** Undefined where the run was ended from outside. */
  readonly finished: FinishedEntry | undefined;
  /** ISO 8601: when the last request left. */
  readonly lastSentAt: string | undefined;
  readonly isTruncated: boolean;
}

export interface RecordedTrial {
  readonly entry: TrialEntry;
  readonly trial: Trial;
}
