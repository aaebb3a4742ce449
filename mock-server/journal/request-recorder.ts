import type { Ledger, LedgerEntry } from '../workspace/ledger.ts';
import { type Arrival, type Ended, type JournalEntry, JournalWriter } from './journal.ts';

const REMEMBERED = 1000;

/** A request with everything that its journal entry leaves out. It holds secrets: it is for judges, never for show. */
export interface RecordedRequest {
  readonly arrival: Arrival;
  /** Goes on changing while the request runs. */
  readonly entry: JournalEntry;
  /** Milliseconds of the process's own monotonic clock, as all times here. */
  readonly arrivedAt: number;
  /** What it was answered with, whole, however much of that arrived; a character a byte. Null: nothing so far. */
  readonly answer: string | null;
  readonly answeredAt: number | null;
  /** When the mock was done with it. */
  readonly endedAt: number | null;
  /** When its connection was gone, where that was before the end of an answer. */
  readonly goneAt: number | null;
}

/** Somebody looked into the workspace. */
export interface WorkspaceRead {
  readonly at: number;
  /** The name of the operation of the control API. */
  readonly operation: string;
  /** The request ID or the Idempotency-Key that was asked for; null: all of them. */
  readonly about: string | null;
  /** What there was to be seen. */
  readonly entries: readonly LedgerEntry[];
}

type Writable = { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] };

class RecordingWriter extends JournalWriter {
  readonly recorded: Writable;

  constructor(arrival: Arrival, first: ConstructorParameters<typeof JournalWriter>[0], changed: () => void) {
    super(first, changed);
    const nothing = { answer: null, answeredAt: null, endedAt: null, goneAt: null };
    this.recorded = { arrival, entry: this.entry, arrivedAt: performance.now(), ...nothing };
  }

  override replied(status: number, body: string): void {
    super.replied(status, body);
    this.recorded.answer = body;
    this.recorded.answeredAt = performance.now();
  }

  override ended(how: Ended, bytesWritten: number): void {
    super.ended(how, bytesWritten);
    this.recorded.endedAt ??= performance.now();
    if (how === 'client-gone') this.recorded.goneAt ??= performance.now();
  }
}

/** Sees the last 1,000 requests of a sandbox whole, and who looked into its workspace meanwhile. */
export class RequestRecorder {
  readonly requests: RecordedRequest[] = [];
  readonly workspaceReads: WorkspaceRead[] = [];

  record(
    arrival: Arrival,
    first: ConstructorParameters<typeof JournalWriter>[0],
    changed: () => void,
  ): JournalWriter {
    const writer = new RecordingWriter(arrival, first, changed);
    keep(this.requests, writer.recorded);
    return writer;
  }

  /** An operation of the control API is asked for; what it shows is as the ledger is now. */
  recordWorkspaceRead(
    operation: string,
    named: string,
    query: Readonly<Record<string, string>>,
    ledger: Pick<Ledger, 'entries'>,
  ): void {
    const about = named === '' ? (query['idempotencyKey'] ?? query['requestId'] ?? null) : named;
    keep(this.workspaceReads, { at: performance.now(), operation, about, entries: ledger.entries() });
  }
}

function keep<T>(list: T[], item: T): void {
  if (list.length >= REMEMBERED) list.shift();
  list.push(item);
}
