import type { Phase } from '../faults/phases.ts';
import type { Endpoint } from '../protocol/request.ts';

/** How a request ended on its connection: a whole answer, a part of one, no byte, or the client disconnected first. */
export type Ended = 'answered' | 'cut' | 'silent' | 'client-gone';

/** The last fault that triggered: the ID of its rule, its name, and its phase. */
export interface TriggeredFault {
  readonly rule: string;
  readonly fault: string;
  readonly phase: Phase;
}

/** What a journal keeps of one request. Values that are not known (yet) are null or empty. */
export interface JournalEntry {
  /** The order of arrival in the sandbox, from 1. Never used twice. */
  readonly n: number;
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** Null: the path or the method has no endpoint. */
  readonly endpoint: Endpoint | null;
  /** The name of the key, never the key itself. Null: the key is unknown. */
  readonly key: string | null;
  readonly method: string;
  /** From `/v1` on, without the query. */
  readonly path: string;
  /** The phases that it reached, in order. */
  readonly phases: readonly Phase[];
  readonly fault: TriggeredFault | null;
  readonly status: number | null;
  /** Bytes of the answer that were written to the socket, head included. */
  readonly bytesWritten: number;
  /** The changes of the ledger for this request, in order. Includes those of a later resolution. */
  readonly ledger: readonly object[];
  /** Null while the request is running. */
  readonly ended: Ended | null;
}

/** What is known when a request arrives. */
export interface Arrival {
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  readonly method: string;
  /** Path and query, as received. */
  readonly url: string;
  /** Null: it was too large to read. */
  readonly body: Buffer | null;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
}

/** Fills one entry while its request runs. No call throws. Calls after `ended` count too. */
export interface JournalRecord {
  routed(endpoint: Endpoint): void;
  /** The name of the key. */
  authenticated(key: string): void;
  reached(phase: Phase): void;
  triggered(fault: TriggeredFault): void;
  /** A change as the ledger's history has it. */
  changed(change: object): void;
  /** The body has one character for each byte. */
  replied(status: number, body: string): void;
  /** The first call counts. The bytes are all that were written for this answer. */
  ended(how: Ended, bytesWritten: number): void;
}

/** Records the requests of one sandbox. */
export interface Journal {
  /** Called once for each request, as soon as it has an ID. */
  begin(arrival: Arrival): JournalRecord;
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** An entry that may still change. */
type Draft = Mutable<JournalEntry>;

/** Shared, because thousands of requests may be open at once. */
const NONE: readonly never[] = [];

/** Fills one entry, and calls `changed` after each change. */
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
    // An array that grows by push reserves room for sixteen more elements.
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
