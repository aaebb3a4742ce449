import type { Arrival, Ended, JournalEntry, JournalRecord, TriggeredFault } from './journal.ts';

/** A request as it arrived. */
interface KeptRequest {
  /** Path and query. */
  readonly url: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** One character for each byte: ten thousand small buffers keep the garbage collector busy. Null: too large to read. */
  readonly body: string | null;
}

/** An answer as it was made, even if only a part of it left. */
export interface MadeAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** One character for each byte. */
  readonly body: string;
  /** Milliseconds since the arrival of its request. */
  readonly ms: number;
}

/** So many bytes had left after so many milliseconds. */
interface Departure {
  readonly ms: number;
  readonly bytes: number;
}

/** Of an answer in more pieces, the last departure stands for the rest. */
const MOST_DEPARTURES = 1000;

/** What is known of an entry from the start. */
export type EntryStart = Pick<
  JournalEntry,
  'id' | 'sandbox' | 'n' | 'at' | 'realAt' | 'requestId' | 'idempotencyKey' | 'method' | 'path'
>;

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** An entry that may still change. */
type Draft = Mutable<JournalEntry>;

/** Shared, because thousands of requests may be open at once. */
const NONE: readonly never[] = [];

const NOTHING = {
  ms: null,
  endpoint: null,
  key: null,
  model: null,
  stream: false,
  phases: NONE,
  fault: null,
  answer: null,
  faults: NONE,
  status: null,
  bytesWritten: 0,
  ledger: NONE,
  ended: null,
};

/** What follows each list of phases: there are few, and all requests share them. */
const following = new WeakMap<Phases, Map<Phases[number], Phases>>();

type Phases = JournalEntry['phases'];

function followedBy(phases: Phases, phase: Phases[number]): Phases {
  const known = following.get(phases) ?? new Map<Phases[number], Phases>();
  const longer = known.get(phase) ?? [...phases, phase];
  if (known.size === 0) following.set(phases, known);
  known.set(phase, longer);
  return longer;
}

/**
 * Fills one entry, and calls `changed` after each change. Beside the entry it keeps the request and its answer by
 * reference, secrets included: `shown-exchange.ts` masks them when they are read.
 */
export class JournalWriter implements JournalRecord {
  readonly entry: JournalEntry;
  /** The number of the latest change, over all requests of the mock. */
  change = 0;
  /** What it takes of the room for requests and answers, in bytes; 0: it is not kept (any more). */
  weight = 0;
  /** Null: it is not kept any more. */
  request: KeptRequest | null;
  answer: MadeAnswer | null = null;
  /** When each phase was reached, in milliseconds since the arrival. */
  readonly phasesMs: number[] = [];
  readonly departures: Departure[] = [];
  readonly #draft: Draft;
  readonly #changed: (writer: JournalWriter) => void;
  readonly #arrivedAt = performance.now();

  constructor(start: EntryStart, arrival: Arrival, changed: (writer: JournalWriter) => void) {
    this.#draft = { ...NOTHING, ...start };
    this.entry = this.#draft;
    const { url, rawHeaders: headers, body } = arrival;
    this.request = { url, headers, body: body === null ? null : body.toString('latin1') };
    this.#changed = changed;
  }

  routed(endpoint: NonNullable<JournalEntry['endpoint']>): void {
    this.#draft.endpoint = endpoint;
    this.#changed(this);
  }

  authenticated(key: string): void {
    this.#draft.key = key;
    this.#changed(this);
  }

  accepted(model: string, stream: boolean): void {
    this.#draft.model = model;
    this.#draft.stream = stream;
    this.#changed(this);
  }

  reached(phase: JournalEntry['phases'][number]): void {
    this.#draft.phases = followedBy(this.#draft.phases, phase);
    this.phasesMs.push(this.#sinceArrival());
  }

  triggered(fault: TriggeredFault): void {
    this.#draft.fault = fault;
    this.#draft.faults = [...this.#draft.faults, fault];
    this.#changed(this);
  }

  chosen(rule: string): void {
    this.#draft.answer = rule;
  }

  changed(change: JournalEntry['ledger'][number]): void {
    this.#draft.ledger = [...this.#draft.ledger, change];
    // A resolution comes long after the end.
    if (this.#draft.ended !== null) this.#changed(this);
  }

  replied(status: number, headers: readonly string[], body: string): void {
    this.#draft.status = status;
    this.answer = { status, headers, body, ms: this.#sinceArrival() };
    this.#changed(this);
  }

  left(bytes: number): void {
    if (this.departures.length === MOST_DEPARTURES) this.departures.pop();
    this.departures.push({ ms: this.#sinceArrival(), bytes });
  }

  ended(how: Ended, bytesWritten: number): void {
    if (this.#draft.ended !== null) return;
    this.#draft.ended = how;
    this.#draft.bytesWritten = bytesWritten;
    this.#draft.ms = this.#sinceArrival();
    if (bytesWritten > (this.departures.at(-1)?.bytes ?? 0)) this.left(bytesWritten);
    this.#changed(this);
  }

  /** Lets go of the request and its answer. */
  forget(): void {
    this.weight = 0;
    this.request = null;
    this.answer = null;
  }

  #sinceArrival(): number {
    return Math.round((performance.now() - this.#arrivedAt) * 1000) / 1000;
  }
}
