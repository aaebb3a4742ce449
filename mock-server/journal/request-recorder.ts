import type { Ledger, LedgerEntry } from '../workspace/ledger.ts';
import { type EntryStart, JournalWriter } from './journal-writer.ts';
import type { Arrival, Ended, JournalEntry } from './journal.ts';

const REMEMBERED = 1000;
const DROPPED_AT_ONCE = 500;

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

  constructor(start: EntryStart, arrival: Arrival, changed: (writer: JournalWriter) => void) {
    super(start, arrival, changed);
    const nothing = { answer: null, answeredAt: null, endedAt: null, goneAt: null };
    this.recorded = { arrival, entry: this.entry, arrivedAt: performance.now(), ...nothing };
  }

  override replied(status: number, headers: readonly string[], body: string): void {
    super.replied(status, headers, body);
    this.recorded.answer = body;
    this.recorded.answeredAt = performance.now();
  }

  override ended(how: Ended, bytesWritten: number): void {
    super.ended(how, bytesWritten);
    this.recorded.endedAt ??= performance.now();
    if (how === 'client-gone') this.recorded.goneAt ??= performance.now();
  }
}

/** Records the last requests of a sandbox whole, 500 to 1,000 of them, and the last 1,000 reads of its workspace. */
export class RequestRecorder {
  readonly requests: RecordedRequest[] = [];
  readonly workspaceReads: WorkspaceRead[] = [];
  /** How many of the oldest requests are no longer held. */
  dropped = 0;

  record(arrival: Arrival, start: EntryStart, changed: (writer: JournalWriter) => void): JournalWriter {
    const writer = new RecordingWriter(start, arrival, changed);
    if (this.requests.length >= REMEMBERED) this.dropped += this.requests.splice(0, DROPPED_AT_ONCE).length;
    this.requests.push(writer.recorded);
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
    if (this.workspaceReads.length >= REMEMBERED) this.workspaceReads.shift();
    this.workspaceReads.push({ at: performance.now(), operation, about, entries: ledger.entries() });
  }
}
