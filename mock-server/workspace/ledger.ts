import type { RequestState, ReservationState } from './request-state.ts';

/** What a debit is for, as the answer reports it (RES-5). */
export interface Work {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly finishReason: string;
}

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
  /** Null: there is no debit, or nothing was said of what it is for. */
  readonly work: Work | null;
}

/** One line of the history: an entry as it became. */
export interface LedgerChange extends Omit<LedgerEntry, 'work'> {
  /** 1 for the first change of the ledger; never given twice. */
  readonly n: number;
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  readonly reservation: ReservationState;
}

/** A workspace's money. `available` is what a new reservation can take: granted − debited − held. */
export interface Account {
  readonly workspace: string;
  readonly granted: number;
  readonly debited: number;
  /** For the running requests and for those under review. */
  readonly held: number;
  readonly available: number;
}

export type ReservationRequest = Pick<LedgerEntry, 'requestId' | 'workspace' | 'idempotencyKey' | 'reserved'>;

/** How the workspace finds that a request under review has ended. */
export type Resolution = 'completed' | 'failed';

/**
 * Credits: reserve the worst case, then debit what was used or release all of it (LIM-3, LIM-4), or leave it under
 * review (ERR-8). Every method does all of its work or throws; `request-state.ts` says what may follow what.
 */
export interface Ledger {
  /** Throws `insufficient_credits` where the workspace has not enough available. */
  reserve(request: ReservationRequest): LedgerEntry;
  /** Debits the credits used, at most what was reserved, and releases the rest. */
  succeed(entry: LedgerEntry, debit: number, work?: Work): void;
  /** Releases the reservation; nothing is debited. */
  fail(entry: LedgerEntry): void;
  /** Keeps the reservation until the request is resolved, which is then told; completed, it owes so many credits. */
  review(entry: LedgerEntry, owed: number, resolved: (resolution: Resolution) => void, work?: Work): void;
  /** Debits what is owed, or releases all. Undefined: no request under review has this ID. */
  resolve(requestId: string, resolution: Resolution): LedgerEntry | undefined;
  /** Undefined for no such workspace. */
  account(workspace: string): Account | undefined;
  /** The one with this request ID; undefined: there was none, or it is forgotten. */
  find(requestId: string): LedgerEntry | undefined;
  /** The open requests, and the latest of the settled ones, oldest first among each. */
  entries(): readonly LedgerEntry[];
  /** The changes of what `entries` gives, or of the request with this ID, in their order. */
  history(requestId?: string): readonly LedgerChange[];
  /** The last change of an entry that this ledger gave. */
  latest(entry: LedgerEntry): LedgerChange;
  /** What ought to hold at any time and does not: a sentence each, none if all is well. */
  invariants(): readonly string[];
}
