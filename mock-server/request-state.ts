/**
 * The states of a completion request, of its reservation, and of its debit: they change together.
 *
 *     request     running ──► succeeded        running ──► failed
 *     reservation held    ──► consumed         held    ──► released
 *     debit       none    ──► applied          none    ──► none
 *
 * A request that is refused before its reservation never enters. What has left `running` never changes again, so
 * there is one debit at most.
 */
export type RequestState = 'running' | 'succeeded' | 'failed';

export type ReservationState = 'held' | 'consumed' | 'released';

type Settled = Exclude<RequestState, 'running'>;

/** What each state of a request says of its reservation. */
export const RESERVATION_OF: Readonly<Record<RequestState, ReservationState>> = {
  running: 'held',
  succeeded: 'consumed',
  failed: 'released',
};

/** The next state. Throws where the table above has no arrow: that is a defect of ours. */
export function settle(from: RequestState, to: Settled): Settled {
  if (from === 'running') return to;
  throw new Error(`A request that has ${from} cannot become ${to}`);
}
