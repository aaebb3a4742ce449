import type { Ledger, LedgerEntry } from '../workspace/ledger.ts';
import type { Arrival, Ended, JournalEntry } from './journal.ts';
import { JournalWriter } from './journal-writer.ts';

const REMEMBERED = 1000;

/** A request with everything that its journal entry leaves out. It holds secrets: it is for judges, never for show. */
export interface Sighting {
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
export interface Look {
  readonly at: number;
  /** The name of the operation of the control API. */
  readonly operation: string;
  /** The request ID or the Idempotency-Key that was asked for; null: all of them. */
  readonly about: string | null;
  /** What there was to be seen. */
  readonly entries: readonly LedgerEntry[];
}

type Writable = { -readonly [Field in keyof Sighting]: Sighting[Field] };

class WatchedWriter extends JournalWriter {
  readonly sighting: Writable;

  constructor(arrival: Arrival, first: ConstructorParameters<typeof JournalWriter>[0], changed: () => void) {
    super(first, changed);
    const nothing = { answer: null, answeredAt: null, endedAt: null, goneAt: null };
    this.sighting = { arrival, entry: this.entry, arrivedAt: performance.now(), ...nothing };
  }

  override replied(status: number, body: string): void {
    super.replied(status, body);
    this.sighting.answer = body;
    this.sighting.answeredAt = performance.now();
  }

  override ended(how: Ended, bytesWritten: number): void {
    super.ended(how, bytesWritten);
    this.sighting.endedAt ??= performance.now();
    if (how === 'client-gone') this.sighting.goneAt ??= performance.now();
  }
}

/** Sees the last 1,000 requests of a sandbox whole, and who looked into its workspace meanwhile. */
export class Witness {
  readonly sightings: Sighting[] = [];
  readonly looks: Look[] = [];

  watch(
    arrival: Arrival,
    first: ConstructorParameters<typeof JournalWriter>[0],
    changed: () => void,
  ): JournalWriter {
    const writer = new WatchedWriter(arrival, first, changed);
    keep(this.sightings, writer.sighting);
    return writer;
  }

  /** An operation of the control API is asked for; what it shows is as the ledger is now. */
  looked(
    operation: string,
    named: string,
    query: Readonly<Record<string, string>>,
    ledger: Pick<Ledger, 'entries'>,
  ): void {
    const about = named === '' ? (query['idempotencyKey'] ?? query['requestId'] ?? null) : named;
    keep(this.looks, { at: performance.now(), operation, about, entries: ledger.entries() });
  }
}

function keep<T>(list: T[], item: T): void {
  if (list.length >= REMEMBERED) list.shift();
  list.push(item);
}
