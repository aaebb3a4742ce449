/** The tokens that a debit pays for, as the answer reports them (RES-5). */
export interface Work {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly finishReason: string;
}

/** What the ledger keeps of one request from its reservation on. Amounts are whole credits. */
export interface LedgerEntry {
  readonly requestId: string;
  readonly workspace: string;
  /** Null: the request has no key (IDEM-4). */
  readonly idempotencyKey: string | null;
  readonly reserved: number;
  readonly state: RequestState;
  /** Null: no debit was applied. */
  readonly debit: number | null;
  /** Null: there is no debit, or what it is for is not known. */
  readonly work: Work | null;
}

/** One line of the history: an entry after a change. No interface, which would not count as a JSON object. */
export type LedgerChange = Omit<LedgerEntry, 'work'> & {
  /** The number of the change in its ledger, from 1. */
  readonly n: number;
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  readonly reservation: ReservationState;
};

/** The credits of a workspace. `available` is granted − debited − held. */
export interface Account {
  readonly workspace: string;
  readonly granted: number;
  readonly debited: number;
  /** For the running requests and for those under review. */
  readonly held: number;
  readonly available: number;
}

export type ReservationRequest = Pick<LedgerEntry, 'requestId' | 'workspace' | 'idempotencyKey' | 'reserved'>;

/** How the workspace resolves a request under review. */
export type Resolution = 'completed' | 'failed';

/**
 * Credits: reserve the worst case, then debit what was used or release all of it (LIM-3, LIM-4), or leave it under
 * review (ERR-8). A method that throws has changed nothing. `request-state.ts` lists the allowed changes.
 */
export interface Ledger {
  /** Throws `insufficient_credits` if too few credits are available. */
  reserve(request: ReservationRequest): LedgerEntry;
  /** Debits at most what was reserved, and releases the rest. */
  succeed(entry: LedgerEntry, debit: number, work?: Work): void;
  /** Releases the reservation without a debit. */
  fail(entry: LedgerEntry): void;
  /** Keeps the reservation until the request is resolved. `owed` is the debit if it has completed. */
  review(entry: LedgerEntry, owed: number, resolved: (resolution: Resolution) => void, work?: Work): void;
  /** Debits what is owed, or releases everything. Undefined: no request under review has this ID. */
  resolve(requestId: string, resolution: Resolution): LedgerEntry | undefined;
  /** Undefined: there is no such workspace. */
  account(workspace: string): Account | undefined;
  /** Grants as many credits more, or fewer, as leave so many available. Adds a workspace that there is not. */
  setBalance(workspace: string, credits: number): void;
  /** The entry of a request ID. Undefined: it is unknown or forgotten. */
  find(requestId: string): LedgerEntry | undefined;
  /** The latest settled requests, then the open ones, each oldest first. */
  entries(): readonly LedgerEntry[];
  /** The changes of all entries, or of the request with this ID, in order. */
  history(requestId?: string): readonly LedgerChange[];
  /** The last change of an entry of this ledger. */
  latest(entry: LedgerEntry): LedgerChange;
  /** A sentence for each rule of credits that is broken. */
  invariants(): readonly string[];
}

/**
 * The states of a completion request, of its reservation, and of its debit: they change together.
 *
 *     request       reservation    debit
 *     running       held           none
 *     under_review  under_review   none       its outcome is uncertain (ERR-8)
 *     succeeded     consumed       applied
 *     failed        released       none
 *
 *     running ──► succeeded, failed, under_review        under_review ──► succeeded, failed
 *
 * A request that is refused before its reservation has no entry. Only the workspace resolves a request under review. A
 * request that has succeeded or failed never changes again, so it has at most one debit.
 */
export type RequestState = 'running' | 'under_review' | 'succeeded' | 'failed';

export type ReservationState = 'held' | 'under_review' | 'consumed' | 'released';

export const RESERVATION_OF: Readonly<Record<RequestState, ReservationState>> = {
  running: 'held',
  under_review: 'under_review',
  succeeded: 'consumed',
  failed: 'released',
};

const NEXT: Readonly<Record<RequestState, readonly RequestState[]>> = {
  running: ['succeeded', 'failed', 'under_review'],
  under_review: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
};

/** Whether credits are held in this state. */
export function isHeld(state: RequestState): boolean {
  return NEXT[state].length > 0;
}

/** The next state. Throws if the table above has no such arrow: the mock itself has failed. */
export function moveTo<To extends RequestState>(from: RequestState, to: To): To {
  if (NEXT[from].includes(to)) return to;
  throw new Error(`A request that is ${from} cannot become ${to}`);
}
