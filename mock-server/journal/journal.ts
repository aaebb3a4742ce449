import type { Phase } from '../faults/phases.ts';
import type { Endpoint } from '../protocol/request.ts';

/** How a request ended, as the wire saw it: whole answer, cut short, no byte of an answer, or the client went first. */
export type Ended = 'answered' | 'cut' | 'silent' | 'client-gone';

/** The fault that decided: the ID of its rule, its name, and the phase at which it struck. */
export interface TriggeredFault {
  readonly rule: string;
  readonly fault: string;
  readonly phase: Phase;
}

/** What a journal keeps of one request. What is not known yet, or never came to be, is null or empty. */
export interface JournalEntry {
  /** 1 for the first request of the sandbox, in the order of arrival; never given twice. */
  readonly n: number;
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** Null: no endpoint is at that path, or none takes that method. */
  readonly endpoint: Endpoint | null;
  /** The name of the key, never the key; null: none was known. */
  readonly key: string | null;
  readonly method: string;
  /** Without its query, from the `/v1` on. */
  readonly path: string;
  /** Reached, in order. */
  readonly phases: readonly Phase[];
  readonly fault: TriggeredFault | null;
  readonly status: number | null;
  /** Bytes of the answer that were handed to the socket, head included. */
  readonly bytesWritten: number;
  /** What the ledger wrote for this request, in order; changes of a later resolution too. */
  readonly ledger: readonly object[];
  /** Null while it is running. */
  readonly ended: Ended | null;
}

/** What is known when a request arrives. */
export interface Arrival {
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  /** Null: it was too large to read. */
  readonly body: Buffer | null;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
}

/** Writes one entry while its request runs. Every call is cheap and none throws; calls after `ended` still count. */
export interface JournalRecord {
  routed(endpoint: Endpoint): void;
  /** The name of the key. */
  authenticated(key: string): void;
  reached(phase: Phase): void;
  triggered(fault: TriggeredFault): void;
  /** A change as the ledger's history has it. */
  changed(change: object): void;
  /** A character of the body a byte. */
  replied(status: number, body: string): void;
  /** The first call decides how it ended; the bytes are all that this request's answer put on the wire. */
  ended(how: Ended, bytesWritten: number): void;
}

/** The requests of one sandbox, in memory and bounded: the last 1,000. A service without one writes nothing. */
export interface Journal {
  /** Called once a request, as soon as it has an ID, whatever becomes of it. */
  begin(arrival: Arrival): JournalRecord;
}

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

  triggered(fault: NonNullable<JournalEntry['fault']>): void {
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
