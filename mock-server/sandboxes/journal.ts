import type { Phase } from '../faults/phases.ts';
import type { Endpoint } from '../endpoints/route.ts';

/** How a request ended, as the wire saw it: whole answer, cut short, no byte of an answer, or the client went first. */
export type Ended = 'answered' | 'cut' | 'silent' | 'client-gone';

/** The fault that decided: the ID of its rule, its name, and the phase at which it struck. */
export interface Struck {
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
  readonly fault: Struck | null;
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
  struck(fault: Struck): void;
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
