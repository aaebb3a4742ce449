import type { Ledger, LedgerEntry } from '../workspace/ledger.ts';
import { type Arrival, type Ended, type JournalEntry, JournalWriter } from './journal.ts';

const REMEMBERED = 1000;

/** A request with all that its journal entry leaves out. It contains secrets: judge it, but never show it. */
export interface RecordedRequest {
  readonly arrival: Arrival;
  /** Changes while the request runs. */
  readonly entry: JournalEntry;
  /** Milliseconds of the process's monotonic clock, like all times here. */
  readonly arrivedAt: number;
  /** The whole body of the answer, one character for each byte, even if only a part arrived. Null: no answer yet. */
  readonly answer: string | null;
  readonly answeredAt: number | null;
  /** When the mock finished the request. */
  readonly endedAt: number | null;
  /** When its connection closed, if that was before the end of the answer. */
  readonly goneAt: number | null;
}

/** A read of the workspace over the control API. */
export interface WorkspaceRead {
  readonly at: number;
  /** The name of the operation of the control API. */
  readonly operation: string;
  /** The request ID or Idempotency-Key that was read; null: all requests. */
  readonly about: string | null;
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

/** Records the last 1,000 requests of a sandbox whole, and the last 1,000 reads of its workspace. */
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

  /** Records an operation of the control API, with the ledger as it is now. */
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
