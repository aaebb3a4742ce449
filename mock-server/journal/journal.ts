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
  /** The order of arrival in the mock, over all sandboxes, from 1. */
  readonly id: number;
  /** The ID of the sandbox; null: the mock's own world. */
  readonly sandbox: string | null;
  /** The order of arrival in the sandbox, from 1. Never used twice. */
  readonly n: number;
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  /** Milliseconds since 1970, by the clock of the machine. */
  readonly realAt: number;
  /** Milliseconds from the arrival to the end, of real time. Null while the request is running. */
  readonly ms: number | null;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** Null: the path or the method has no endpoint. */
  readonly endpoint: Endpoint | null;
  /** The name of the key, never the key itself. Null: the key is unknown. */
  readonly key: string | null;
  readonly method: string;
  /** From `/v1` on, without the query. */
  readonly path: string;
  /** Null: no valid chat was asked for. */
  readonly model: string | null;
  /** Whether a stream was asked for. */
  readonly stream: boolean;
  /** The phases that it reached, in order. */
  readonly phases: readonly Phase[];
  readonly fault: TriggeredFault | null;
  /** Every fault that triggered, in order. */
  readonly faults: readonly TriggeredFault[];
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
  /** A valid chat. */
  accepted(model: string, stream: boolean): void;
  reached(phase: Phase): void;
  triggered(fault: TriggeredFault): void;
  /** A change as the ledger's history has it. */
  changed(change: object): void;
  /** Headers are names and values in turn; the body has one character for each byte. Both are kept by reference. */
  replied(status: number, headers: readonly string[], body: string): void;
  /** So many bytes of the answer, head included, have left by now. */
  left(bytes: number): void;
  /** The first call counts. The bytes are all that were written for this answer. */
  ended(how: Ended, bytesWritten: number): void;
}

/** Records the requests of one sandbox. */
export interface Journal {
  /** Called once for each request, as soon as it has an ID. */
  begin(arrival: Arrival): JournalRecord;
}
