import type { z } from 'zod';
import type { Endpoint } from '../protocol/request.ts';
import type { Phase } from '../rules/phases.ts';
import type { Immutable } from '../world/world.ts';
import type { journalEntry, triggeredFault } from './journal-schema.ts';

/** What a journal keeps of one request. Only the type comes from the schema: the mock does not load it. */
export type JournalEntry = Immutable<z.output<typeof journalEntry>>;

/** The ID of the rule of a fault that triggered, its name, and its phase. */
export type TriggeredFault = Immutable<z.output<typeof triggeredFault>>;

/** How a request ended on its connection. */
export type Ended = NonNullable<JournalEntry['ended']>;

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
  /** False for a handshake, and for what cannot be read as a request: no judge hears of it. */
  readonly isRequest?: boolean;
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
  /** The ID of the rule that has chosen the answer. */
  chosen(rule: string): void;
  /** A change as the ledger's history has it. */
  changed(change: JournalEntry['ledger'][number]): void;
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
