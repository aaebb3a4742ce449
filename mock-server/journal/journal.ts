import type { FaultName } from '../faults/fault-catalogue.ts';
import type { Endpoint, ReceivedRequest } from '../protocol/answer.ts';
import type { Phase } from '../rules/phases.ts';
import type { LedgerChange } from '../workspace/ledger.ts';

/** A whole answer, a part of one, no byte while the client waits, or the client disconnected first. */
export const ENDS = ['answered', 'cut', 'silent', 'client-gone'] as const;

/** How a request ended on its connection. */
export type Ended = (typeof ENDS)[number];

interface TriggeredFault {
  /** Its ID. */
  readonly rule: string;
  readonly fault: FaultName;
  readonly phase: Phase;
}

/** What a journal shows of one request. Values that are not known (yet) are null or empty. */
export interface JournalEntry {
  /** The order of arrival over all sandboxes. */
  readonly id: number;
  /** Null: the mock's own world. */
  readonly sandbox: string | null;
  /** The order of arrival in this world, from 1. */
  readonly n: number;
  /** Milliseconds since 1970, by the clock of the world. */
  readonly at: number;
  /** The same by the clock of the machine. */
  readonly realAt: number;
  /** Milliseconds until the end, of real time; null: it runs. */
  readonly ms: number | null;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly endpoint: Endpoint | null;
  /** The name of the key in the world; null: the key was not looked at, or is unknown. */
  readonly key: string | null;
  /** BYTES: what came was no request. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Of a valid chat. */
  readonly model: string | null;
  readonly stream: boolean;
  readonly phases: readonly Phase[];
  /** The last one of `faults`. */
  readonly fault: TriggeredFault | null;
  /** In order. */
  readonly faults: readonly TriggeredFault[];
  /** The ID of the rule that chose the answer. */
  readonly answer: string | null;
  readonly status: number | null;
  readonly bytesWritten: number;
  readonly ledger: readonly LedgerChange[];
  /** Null: it runs. */
  readonly ended: Ended | null;
}

export interface Arrival extends Pick<ReceivedRequest, 'method' | 'url' | 'idempotencyKey' | 'body'> {
  readonly requestId: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** False for what cannot be read as a request: no judge hears of it. */
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

/** Bytes that a request takes beside its bodies: headers, mostly. */
const BESIDE_BODIES = 1024;

/**
 * One request: its entry, and what the entry leaves out, secrets included. Filled while the request runs, and later, if
 * the workspace resolves it. No call throws. Milliseconds without `at` are those of the process's monotonic clock.
 */
export class JournalRecord {
  /** Changes while the request runs. */
  readonly entry: JournalEntry;
  /** The number of the latest change, over all requests of the mock. */
  change = 0;
  /** Whether it is kept for a judge, whatever else needs its room. */
  isWitnessed = false;
  /** Null: it is not kept any more. */
  arrival: Arrival | null;
  answer: MadeAnswer | null = null;
  /** When each phase was reached, in milliseconds since the arrival. */
  readonly phases: { readonly phase: Phase; readonly ms: number }[] = [];
  /** Bytes of the body that left in parts. */
  bodyLeft = 0;
  readonly arrivedAt = performance.now();
  endedAt: number | null = null;
  /** When its connection closed, if that was before the end of the answer. */
  goneAt: number | null = null;
  readonly #changed: (record: JournalRecord) => void;

  constructor(entry: JournalEntry, arrival: Arrival, changed: (record: JournalRecord) => void) {
    this.entry = entry;
    this.arrival = arrival;
    this.#changed = changed;
  }

  /** In bytes; 0: it is not kept (any more). */
  get size(): number {
    if (this.arrival === null) return 0;
    return BESIDE_BODIES + (this.arrival.body?.length ?? 0) + (this.answer?.body.length ?? 0);
  }

  learnt(what: Partial<JournalEntry>): void {
    Object.assign(this.entry, what);
    this.#changed(this);
  }

  reached(phase: Phase): void {
    Object.assign(this.entry, { phases: [...this.entry.phases, phase] });
    this.phases.push({ phase, ms: this.#sinceArrival() });
  }

  triggered(fault: TriggeredFault): void {
    this.learnt({ fault, faults: [...this.entry.faults, fault] });
  }

  /** The body has one character for each byte. */
  replied({ status, headers, body }: Omit<MadeAnswer, 'ms' | 'body'> & { readonly body: string }): void {
    const bytes = Buffer.from(body, 'latin1');
    if (this.arrival !== null) this.answer = { status, headers, body: bytes, ms: this.#sinceArrival() };
    this.learnt({ status });
  }

  /** A part of the body has left. */
  left(bytes: number): void {
    this.bodyLeft += bytes;
  }

  /** The first call counts; one that was left waiting can still leave. The bytes are all that were written for this answer. */
  ended(how: Ended, bytesWritten: number): void {
    const now = performance.now();
    this.endedAt ??= now;
    if (how === 'client-gone') this.goneAt ??= now;
    const hasLeft = this.entry.ended === 'silent' && how === 'client-gone';
    if (this.entry.ended !== null && !hasLeft) return;
    this.learnt({ ended: how, bytesWritten, ms: this.#sinceArrival() });
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
