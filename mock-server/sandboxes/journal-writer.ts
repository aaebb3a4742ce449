import type { JournalEntry, JournalRecord } from './journal.ts';

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** An entry as long as it may change. */
type Draft = Mutable<JournalEntry>;

/** Shared by all that have none: thousands of entries may be held open at once. */
const NONE: readonly never[] = [];

/** Fills one entry, and tells after each change. */
export class JournalWriter implements JournalRecord {
  readonly entry: JournalEntry;
  readonly #draft: Draft;
  readonly #changed: () => void;

  constructor(
    arrival: Pick<JournalEntry, 'n' | 'at' | 'requestId' | 'idempotencyKey' | 'method' | 'path'>,
    changed: () => void,
  ) {
    const nothing = { endpoint: null, key: null, fault: null, status: null, bytesWritten: 0, ended: null };
    this.#draft = { ...arrival, ...nothing, phases: NONE, ledger: NONE };
    this.entry = this.#draft;
    this.#changed = changed;
  }

  routed(endpoint: NonNullable<JournalEntry['endpoint']>): void {
    this.#draft.endpoint = endpoint;
    this.#changed();
  }

  authenticated(key: string): void {
    this.#draft.key = key;
    this.#changed();
  }

  reached(phase: JournalEntry['phases'][number]): void {
    // A list that is pushed to keeps room for sixteen more.
    this.#draft.phases = [...this.#draft.phases, phase];
  }

  struck(fault: NonNullable<JournalEntry['fault']>): void {
    this.#draft.fault = fault;
    this.#changed();
  }

  changed(change: object): void {
    this.#draft.ledger = [...this.#draft.ledger, change];
  }

  replied(status: number, _body: string): void {
    this.#draft.status = status;
    this.#changed();
  }

  ended(how: NonNullable<JournalEntry['ended']>, bytesWritten: number): void {
    if (this.#draft.ended !== null) return;
    this.#draft.ended = how;
    this.#draft.bytesWritten = bytesWritten;
    this.#changed();
  }
}
