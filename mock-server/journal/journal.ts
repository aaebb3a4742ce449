import type { z } from 'zod';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { Immutable } from '../world/world.ts';
import type { journalEntry, triggeredFault } from './journal-schema.ts';

/** What a journal shows of one request. Only the type comes from the schema: the mock does not load it. */
export type JournalEntry = Immutable<z.output<typeof journalEntry>>;

/** The ID of the rule of a fault that triggered, its name, and its phase. */
export type TriggeredFault = Immutable<z.output<typeof triggeredFault>>;

/** How a request ended on its connection. */
export type Ended = NonNullable<JournalEntry['ended']>;

/** A request as it came. */
export interface Arrival extends Pick<ReceivedRequest, 'method' | 'url' | 'idempotencyKey' | 'body'> {
  readonly requestId: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** False for a handshake, and for what cannot be read as a request: no judge hears of it. */
  readonly isRequest?: boolean;
}

/** An answer as it was made, even if only a part of it left. */
interface MadeAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Milliseconds since the arrival of its request. */
  readonly ms: number;
}

/** So many bytes of the answer, head included, had left after so many milliseconds. */
interface Departure {
  readonly ms: number;
  readonly bytes: number;
}

/** Of an answer in more pieces, the last departure stands for the rest. */
const MOST_DEPARTURES = 1000;
/** Bytes that a request takes beside its bodies: headers, mostly. */
const BESIDE_BODIES = 1024;

/** What is known of an entry from the start. */
export type EntryStart = Pick<
  JournalEntry,
  'id' | 'sandbox' | 'n' | 'at' | 'realAt' | 'requestId' | 'idempotencyKey' | 'method' | 'path'
>;

/** What a request becomes known by on its way. */
type Learnt = Partial<Pick<JournalEntry, 'endpoint' | 'key' | 'model' | 'stream' | 'answer' | 'ledger'>>;

/** An entry that may still change. */
type Draft = { -readonly [Field in keyof JournalEntry]: JournalEntry[Field] };

/**
 * One request: its entry, and what the entry leaves out, secrets included. Filled while the request runs, and later, if
 * the workspace resolves it. No call throws. Milliseconds without `at` are those of the process's monotonic clock.
 */
export class JournalRecord {
  readonly entry: JournalEntry;
  /** The number of the latest change, over all requests of the mock. */
  change = 0;
  /** What it was last found to take of the room for requests and answers, in bytes. */
  weight = 0;
  /** Whether it is kept for a judge, whatever else needs its room. */
  isWitnessed = false;
  /** Null: it is not kept any more. */
  arrival: Arrival | null;
  answer: MadeAnswer | null = null;
  /** When each phase was reached, in milliseconds since the arrival. */
  readonly phasesMs: number[] = [];
  readonly departures: Departure[] = [];
  readonly arrivedAt = performance.now();
  endedAt: number | null = null;
  /** When its connection closed, if that was before the end of the answer. */
  goneAt: number | null = null;
  readonly #draft: Draft;
  readonly #changed: (record: JournalRecord) => void;

  /** Calls `changed` after each change. */
  constructor(start: EntryStart, arrival: Arrival, changed: (record: JournalRecord) => void) {
    this.#draft = {
      ...start,
      ms: null,
      endpoint: null,
      key: null,
      model: null,
      stream: false,
      phases: [],
      fault: null,
      faults: [],
      answer: null,
      status: null,
      bytesWritten: 0,
      ledger: [],
      ended: null,
    };
    this.entry = this.#draft;
    this.arrival = arrival;
    this.#changed = changed;
  }

  /** In bytes; 0: it is not kept (any more). */
  get size(): number {
    if (this.arrival === null) return 0;
    return BESIDE_BODIES + (this.arrival.body?.length ?? 0) + (this.answer?.body.length ?? 0);
  }

  learnt(what: Learnt): void {
    Object.assign(this.#draft, what);
    this.#changed(this);
  }

  reached(phase: JournalEntry['phases'][number]): void {
    this.#draft.phases = [...this.#draft.phases, phase];
    this.phasesMs.push(this.#sinceArrival());
  }

  triggered(fault: TriggeredFault): void {
    this.#draft.fault = fault;
    this.#draft.faults = [...this.#draft.faults, fault];
    this.#changed(this);
  }

  replied(status: number, headers: readonly string[], body: Buffer): void {
    this.#draft.status = status;
    if (this.arrival !== null) this.answer = { status, headers, body, ms: this.#sinceArrival() };
    this.#changed(this);
  }

  /** So many bytes of the answer, head included, have left by now. */
  left(bytes: number): void {
    if (this.departures.length === MOST_DEPARTURES) this.departures.pop();
    this.departures.push({ ms: this.#sinceArrival(), bytes });
  }

  /** The first call counts. The bytes are all that were written for this answer. */
  ended(how: Ended, bytesWritten: number): void {
    const now = performance.now();
    this.endedAt ??= now;
    if (how === 'client-gone') this.goneAt ??= now;
    if (this.#draft.ended !== null) return;
    this.#draft.ended = how;
    this.#draft.bytesWritten = bytesWritten;
    this.#draft.ms = this.#sinceArrival();
    if (bytesWritten > (this.departures.at(-1)?.bytes ?? 0)) this.left(bytesWritten);
    this.#changed(this);
  }

  /** Lets go of the request and its answer, unless they are kept for a judge. */
  forget(): void {
    if (this.isWitnessed) return;
    this.arrival = null;
    this.answer = null;
  }

  #sinceArrival(): number {
    return Math.round((performance.now() - this.arrivedAt) * 1000) / 1000;
  }
}
