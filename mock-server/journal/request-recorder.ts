import type { Ledger, LedgerEntry } from '../workspace/ledger.ts';
import type { Arrival, JournalRecord } from './journal.ts';

const REMEMBERED = 1000;
const DROPPED_AT_ONCE = 500;

/** A request with all that its journal entry leaves out. It contains secrets: judge it, but never show it. */
export type RecordedRequest = JournalRecord & { readonly arrival: Arrival };

/** A read of the workspace over the control API. */
export interface WorkspaceRead {
  /** Milliseconds of the process's monotonic clock. */
  readonly at: number;
  /** The name of the operation of the control API. */
  readonly operation: string;
  /** The request ID or Idempotency-Key that was read; null: all requests. */
  readonly about: string | null;
  readonly entries: readonly LedgerEntry[];
}

/** Keeps the last requests of a sandbox whole, 500 to 1,000 of them, and the last 1,000 reads of its workspace. */
export class RequestRecorder {
  readonly requests: RecordedRequest[] = [];
  readonly workspaceReads: WorkspaceRead[] = [];
  /** How many of the oldest requests are no longer held. */
  dropped = 0;

  keep(record: JournalRecord, arrival: Arrival): void {
    if (this.requests.length >= REMEMBERED) this.dropped += this.requests.splice(0, DROPPED_AT_ONCE).length;
    this.requests.push(Object.assign(record, { arrival, isWitnessed: true }));
  }

  /** Records an operation of the control API, with the ledger as it is now. */
  recordWorkspaceRead(
    operation: string,
    named: string,
    query: Readonly<Record<string, string>>,
    ledger: Pick<Ledger, 'entries'>,
  ): void {
    const about = named === '' ? (query['idempotencyKey'] ?? query['requestId'] ?? null) : named;
    if (this.workspaceReads.length >= REMEMBERED) this.workspaceReads.shift();
    this.workspaceReads.push({ at: performance.now(), operation, about, entries: ledger.entries() });
  }
}
