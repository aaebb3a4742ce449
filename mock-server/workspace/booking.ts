import {
  type LedgerChange,
  type LedgerEntry,
  type ReservationRequest,
  type Work,
  RESERVATION_OF,
  type RequestState,
} from './ledger.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The number of a change in its ledger, and its time in milliseconds since 1970. */
export interface Moment {
  readonly n: number;
  readonly at: number;
}

/**
 * An entry as the ledger keeps it, with the moment of each of its states, from which its history is made. Thousands are
 * kept, and most of the garbage collector's work is on them, so the moments of every entry are plain numbers.
 */
export interface Booking extends Mutable<LedgerEntry> {
  /** The debit if it is resolved as completed; null: it was never under review. */
  owed: number | null;
  /** What that debit would be for. */
  owedFor: Work | null;
  readonly openedAs: number;
  readonly openedAt: number;
  reviewed: Moment | null;
  /** 0: the entry is open. */
  settledAs: number;
  settledAt: number;
}

export function openBooking(request: ReservationRequest, n: number, at: number): Booking {
  const { requestId, workspace, idempotencyKey, reserved } = request;
  return {
    requestId,
    workspace,
    idempotencyKey,
    reserved,
    state: 'running',
    debit: null,
    work: null,
    owed: null,
    owedFor: null,
    openedAs: n,
    openedAt: at,
    reviewed: null,
    settledAs: 0,
    settledAt: 0,
  };
}

/** Whether an entry is a booking of a ledger, and not a copy. */
export function isBooking(entry: LedgerEntry): entry is Booking {
  return 'openedAs' in entry;
}

/** A copy of the entry, which does not change. */
export function entryOf({
  requestId,
  workspace,
  idempotencyKey,
  reserved,
  state,
  debit,
  work,
}: Booking): LedgerEntry {
  return { requestId, workspace, idempotencyKey, reserved, state, debit, work };
}

/** Its changes, oldest first. */
export function changesOf(booking: Booking): readonly LedgerChange[] {
  const { openedAs, openedAt, reviewed, settledAs, settledAt, state } = booking;
  return [
    changeOf(booking, { n: openedAs, at: openedAt }, 'running'),
    ...(reviewed === null ? [] : [changeOf(booking, reviewed, 'under_review')]),
    ...(settledAs === 0 ? [] : [changeOf(booking, { n: settledAs, at: settledAt }, state)]),
  ];
}

function changeOf(booking: Booking, { n, at }: Moment, state: RequestState): LedgerChange {
  const debit = state === booking.state ? booking.debit : null;
  const { work: _, ...entry } = entryOf(booking);
  return { n, at, ...entry, state, reservation: RESERVATION_OF[state], debit };
}
