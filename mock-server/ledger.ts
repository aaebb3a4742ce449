import type { RequestState } from './request-state.ts';

/** What is written of one request from its reservation on. Amounts are whole credits. */
export interface LedgerEntry {
  readonly requestId: string;
  readonly workspace: string;
  /** Null: the request carried none (IDEM-4). */
  readonly idempotencyKey: string | null;
  readonly reserved: number;
  readonly state: RequestState;
  /** Null: none was applied. */
  readonly debit: number | null;
}

/** A workspace's money. `available` is what a new reservation can take: granted − debited − held. */
export interface Account {
  readonly granted: number;
  readonly debited: number;
  readonly held: number;
  readonly available: number;
}

export type ReservationRequest = Pick<LedgerEntry, 'requestId' | 'workspace' | 'idempotencyKey' | 'reserved'>;

/** Credits: reserve the worst case, then debit what was used or release all of it (LIM-3, LIM-4). */
export interface Ledger {
  /** Throws `insufficient_credits` where the workspace has not enough available. */
  reserve(request: ReservationRequest): LedgerEntry;
  /** Debits the credits used, at most what was reserved, and releases the rest. */
  succeed(entry: LedgerEntry, debit: number): void;
  /** Releases the reservation; nothing is debited. */
  fail(entry: LedgerEntry): void;
  /** Undefined for no such workspace. */
  account(workspace: string): Account | undefined;
  /** The running requests, and the latest of the settled ones, oldest first. */
  entries(): readonly LedgerEntry[];
  /** What ought to hold at any time and does not: a sentence each, none if all is well. */
  invariants(): readonly string[];
}
