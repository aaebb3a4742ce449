import type { z } from 'zod';
import type { account, ledgerChange, requestState } from './ledger-schema.ts';
import type { MemoryLedger } from './memory-ledger.ts';

/** The tokens that a debit pays for, as the answer reports them (RES-5). */
export interface Work {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly finishReason: string;
}

/** One line of the history: an entry after a change. */
export type LedgerChange = Readonly<z.output<typeof ledgerChange>>;

/** What the ledger keeps of one request from its reservation on. Amounts are whole credits. */
export interface LedgerEntry extends Omit<LedgerChange, 'n' | 'at' | 'reservation'> {
  /** Null: there is no debit, or what it is for is not known. */
  readonly work: Work | null;
}

/** An entry, and its changes as they happen, oldest first. */
export interface Reservation extends LedgerEntry {
  readonly changes: readonly LedgerChange[];
}

/** The credits of a workspace. */
export type Account = Readonly<z.output<typeof account>>;

export type ReservationRequest = Pick<LedgerEntry, 'requestId' | 'workspace' | 'idempotencyKey' | 'reserved'>;

/** How the workspace resolves a request under review. */
export type Resolution = 'completed' | 'failed';

/** What a service uses of its ledger, which a defect may wrap. */
export type Ledger = Pick<MemoryLedger, keyof MemoryLedger>;

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
export type RequestState = z.output<typeof requestState>;

export const RESERVATION_OF: Readonly<Record<RequestState, LedgerChange['reservation']>> = {
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
