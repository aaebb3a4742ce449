import { ServiceError } from '../protocol/service-error.ts';
import type { Clock } from '../time/clock.ts';
import type { Workspace } from '../world/world-schema.ts';
import {
  type Account,
  type LedgerChange,
  type LedgerEntry,
  type Reservation,
  type ReservationRequest,
  type Resolution,
  type Work,
  moveTo,
  RESERVATION_OF,
  isHeld,
} from './ledger.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** An entry as the ledger keeps it. */
interface Booking extends Mutable<LedgerEntry> {
  /** The debit if it is resolved as completed, and what it would be for. */
  owed: Pick<LedgerEntry, 'debit' | 'work'>;
  resolved: (resolution: Resolution) => void;
  /** Oldest first. */
  readonly changes: LedgerChange[];
}

/** A copy, which does not change. */
function entryOf({ owed: _owed, resolved: _resolved, changes: _changes, ...entry }: Booking): LedgerEntry {
  return entry;
}

const NOTHING_OWED = { debit: null, work: null };

/**
 * Credits: reserve the worst case, then debit what was used or release all of it (LIM-3, LIM-4), or leave it under
 * review (ERR-8). A method that throws has changed nothing. Keeps the open requests of one world, the last `history`
 * settled ones, and totals of the rest.
 */
export class MemoryLedger {
  readonly #purses = new Map<string, WorkspaceTotals>();
  readonly #clock: Clock;
  /** By what `reserve` returned. */
  readonly #open = new Map<LedgerEntry, Booking>();
  /** Oldest first. */
  readonly #settled: Booking[] = [];
  readonly #history: number;
  #changes = 0;

  constructor(workspaces: readonly Workspace[], history: number, clock: Clock) {
    for (const { id, credits } of workspaces) this.setBalance(id, credits);
    this.#history = history;
    this.#clock = clock;
  }

  /** Throws `insufficient_credits` if too few credits are available. */
  reserve(request: ReservationRequest): Reservation {
    const purse = this.#purse(request.workspace);
    if (request.reserved > available(purse)) throw new ServiceError('insufficient_credits');
    const { requestId, workspace, idempotencyKey, reserved } = request;
    const booking: Booking = {
      requestId,
      workspace,
      idempotencyKey,
      reserved,
      state: 'running',
      ...NOTHING_OWED,
      owed: NOTHING_OWED,
      resolved: () => {},
      changes: [],
    };
    this.#note(booking);
    purse.held += reserved;
    this.#open.set(booking, booking);
    return booking;
  }

  /** Debits at most what was reserved, and releases the rest. */
  succeed(entry: LedgerEntry, debit: number, work: Work | null = null): void {
    this.#settle(this.#own(entry), 'succeeded', { debit, work });
  }

  /** Releases the reservation without a debit. */
  fail(entry: LedgerEntry): void {
    this.#settle(this.#own(entry), 'failed');
  }

  /** Keeps the reservation until the request is resolved. `owed` is the debit if it has completed. */
  review(
    entry: LedgerEntry,
    owed: number,
    resolved: (resolution: Resolution) => void,
    work: Work | null = null,
  ): void {
    const booking = this.#own(entry);
    checkDebit(booking, owed);
    booking.state = moveTo(booking.state, 'under_review');
    Object.assign(booking, { owed: { debit: owed, work }, resolved });
    this.#note(booking);
  }

  /** Debits what is owed, or releases everything. Undefined: no request under review has this ID. */
  resolve(requestId: string, resolution: Resolution): LedgerEntry | undefined {
    const booking = [...this.#open.values()].find(
      (open) => open.requestId === requestId && open.state === 'under_review',
    );
    if (booking === undefined) return undefined;
    if (resolution === 'completed') this.#settle(booking, 'succeeded', booking.owed);
    else this.#settle(booking, 'failed');
    booking.resolved(resolution);
    return entryOf(booking);
  }

  /** Undefined: there is no such workspace. */
  account(workspace: string): Account | undefined {
    const purse = this.#purses.get(workspace);
    if (purse === undefined) return undefined;
    const { granted, debited, held } = purse;
    return { workspace, granted, debited, held, available: available(purse) };
  }

  /** Grants as many credits more, or fewer, as leave so many available. Adds a workspace that there is not. */
  setBalance(workspace: string, credits: number): void {
    const purse = this.#purses.get(workspace);
    if (purse === undefined)
      this.#purses.set(workspace, { granted: credits, debited: 0, held: 0, folded: 0 });
    else purse.granted = purse.debited + purse.held + credits;
  }

  /** The latest settled requests, then the open ones, each oldest first. */
  entries(): readonly LedgerEntry[] {
    return this.#bookings().map(entryOf);
  }

  /** Undefined: it is unknown or forgotten. */
  find(requestId: string): LedgerEntry | undefined {
    const booking = this.#bookings().find((one) => one.requestId === requestId);
    return booking === undefined ? undefined : entryOf(booking);
  }

  /** The changes of all entries, or of the request with this ID, in order. */
  history(requestId?: string): readonly LedgerChange[] {
    const all = this.#bookings();
    const meant = requestId === undefined ? all : all.filter((booking) => booking.requestId === requestId);
    return meant.flatMap(({ changes }) => changes).toSorted((one, other) => one.n - other.n);
  }

  /** A sentence for each rule of credits that is broken. */
  invariants(): readonly string[] {
    return [...brokenInvariants(this.#purses, this.#bookings())];
  }

  #bookings(): readonly Booking[] {
    return [...this.#settled, ...this.#open.values()];
  }

  /** Adds its state to its history. */
  #note(booking: Booking): void {
    const { requestId, workspace, idempotencyKey, reserved, state, debit, changes } = booking;
    const entry = { requestId, workspace, idempotencyKey, reserved, state, debit };
    this.#changes += 1;
    changes.push({ n: this.#changes, at: this.#clock(), ...entry, reservation: RESERVATION_OF[state] });
  }

  #purse(workspace: string): WorkspaceTotals {
    const purse = this.#purses.get(workspace);
    if (purse === undefined) throw new Error('No such workspace');
    return purse;
  }

  /** The entry as a booking, which may change. Throws unless this ledger opened it and it is still open. */
  #own(entry: LedgerEntry): Booking {
    const booking = this.#open.get(entry);
    if (booking !== undefined) return booking;
    moveTo(entry.state, 'failed');
    throw new Error('No entry of this ledger');
  }

  #settle(
    booking: Booking,
    state: 'succeeded' | 'failed',
    { debit, work }: Pick<LedgerEntry, 'debit' | 'work'> = NOTHING_OWED,
  ): void {
    const next = moveTo(booking.state, state);
    if (debit !== null) checkDebit(booking, debit);
    Object.assign(booking, { state: next, debit, work });
    this.#note(booking);
    const purse = this.#purse(booking.workspace);
    purse.debited += debit ?? 0;
    purse.held -= booking.reserved;
    this.#open.delete(booking);
    this.#settled.push(booking);
    const forgotten = this.#settled.length > this.#history ? this.#settled.shift() : undefined;
    if (forgotten !== undefined) this.#purse(forgotten.workspace).folded += forgotten.debit ?? 0;
  }
}

function checkDebit({ reserved }: LedgerEntry, debit: number): void {
  if (Number.isSafeInteger(debit) && debit >= 0 && debit <= reserved) return;
  throw new Error(`A debit of ${debit} does not fit a reservation of ${reserved}`);
}

export interface WorkspaceTotals {
  granted: number;
  debited: number;
  held: number;
  /** The debits of settled entries that are forgotten one by one. */
  folded: number;
}

function available({ granted, debited, held }: WorkspaceTotals): number {
  return granted - debited - held;
}

/** A sentence for each broken rule of credits. Computes the totals again, from the entries alone. */
export function* brokenInvariants(
  workspaces: ReadonlyMap<string, WorkspaceTotals>,
  entries: readonly LedgerEntry[],
): Generator<string> {
  for (const [id, totals] of workspaces) {
    const own = entries.filter(({ workspace }) => workspace === id);
    const debited = own.reduce((sum, { debit }) => sum + (debit ?? 0), totals.folded);
    const held = own.reduce((sum, { state, reserved }) => sum + (isHeld(state) ? reserved : 0), 0);
    if (totals.debited !== debited)
      yield `${id}: debited ${totals.debited}, but its debits sum to ${debited}`;
    if (totals.held !== held) yield `${id}: ${totals.held} held, but its open requests hold ${held}`;
    if (totals.granted - debited - held < 0) yield `${id}: more debited and held than was granted`;
  }
  const seen = new Set<string>();
  for (const { requestId, state, debit, reserved } of entries) {
    if ((debit !== null) !== (state === 'succeeded')) yield `${requestId}: ${state} with a debit of ${debit}`;
    if ((debit ?? 0) > reserved) yield `${requestId}: debited ${debit} of ${reserved} reserved`;
    // A request has one entry, and so at most one debit.
    if (seen.has(requestId)) yield `${requestId}: two entries`;
    seen.add(requestId);
  }
}
