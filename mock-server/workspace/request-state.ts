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
