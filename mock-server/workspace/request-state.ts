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
 * A request that is refused before its reservation never enters. Only the workspace resolves what is under review. What
 * has succeeded or failed never changes again, so there is one debit at most.
 */
export type RequestState = 'running' | 'under_review' | 'succeeded' | 'failed';

export type ReservationState = 'held' | 'under_review' | 'consumed' | 'released';

/** What each state of a request says of its reservation. */
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

/** Whether credits are set aside in this state. */
export function isOpen(state: RequestState): boolean {
  return NEXT[state].length > 0;
}

/** The next state. Throws where the table above has no arrow: that is a defect of ours. */
export function moveTo<To extends RequestState>(from: RequestState, to: To): To {
  if (NEXT[from].includes(to)) return to;
  throw new Error(`A request that is ${from} cannot become ${to}`);
}
