import { ServiceError } from '../protocol/service-error.ts';
import type { Clock } from '../time/clock.ts';
import type { Workspace } from '../world/world-schema.ts';

/** The tokens that a debit pays for, as the answer reports them (RES-5). */
export interface Work {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly finishReason: string;
}

/** An entry after a change. */
export interface LedgerChange {
  /** Milliseconds since 1970, by the clock of the world. */
  readonly at: number;
  readonly requestId: string;
  readonly workspace: string;
  readonly idempotencyKey: string | null;
  readonly reserved: number;
  readonly state: RequestState;
  readonly reservation: 'held' | 'consumed' | 'released' | 'under_review';
  /** Null: no debit was applied. */
  readonly debit: number | null;
}

/** What the ledger keeps of one request from its reservation on. Amounts are whole credits. */
export interface LedgerEntry extends Omit<LedgerChange, 'at' | 'reservation'> {
  /** Null: there is no debit, or what it is for is not known. */
  readonly work: Work | null;
  /** Oldest first. */
  readonly changes: readonly LedgerChange[];
}

export interface Account {
  readonly workspace: string;
  readonly granted: number;
  readonly debited: number;
  /** For running requests and those under review. */
  readonly held: number;
  /** What is left of the grant. */
  readonly available: number;
}

/** How the workspace resolves a request under review. */
export type Resolution = 'completed' | 'failed';

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
export type RequestState = 'running' | 'succeeded' | 'failed' | 'under_review';

export const RESERVATION_OF: Readonly<Record<RequestState, LedgerChange['reservation']>> = {
  running: 'held',
  under_review: 'under_review',
  succeeded: 'consumed',
  failed: 'released',
};

function isHeld(state: RequestState): boolean {
  return state === 'running' || state === 'under_review';
}

type Booking = { -readonly [Key in keyof LedgerEntry]: LedgerEntry[Key] };

type Debit = Pick<LedgerEntry, 'debit' | 'work'>;

const NO_DEBIT: Debit = { debit: null, work: null };

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

/** What a service uses of its ledger, which a defect may wrap. */
export type Ledger = Pick<MemoryLedger, keyof MemoryLedger>;

/**
 * Credits: reserve the worst case, then debit what was used or release all of it (LIM-3, LIM-4), or leave it under
 * review (ERR-8). A method that throws has changed nothing. Keeps the open requests of one world, the last `history`
 * settled ones, and totals of the rest.
 */
export class MemoryLedger {
  readonly #totals = new Map<string, WorkspaceTotals>();
  /** What `reserve` returned, oldest first. */
  readonly #open: Booking[] = [];
  /** What follows a resolution: the debit if the request has completed, and who hears of it. */
  readonly #reviews = new Map<LedgerEntry, { owed: Debit; resolved: (resolution: Resolution) => void }>();
  /** Oldest first. */
  #settled: Booking[] = [];
  readonly #history: number;
  readonly #clock: Clock;

  constructor(workspaces: readonly Workspace[], history: number, clock: Clock) {
    for (const { id, credits } of workspaces) this.setBalance(id, credits);
    this.#history = history;
    this.#clock = clock;
  }

  /** Throws `insufficient_credits` if too few credits are available. */
  reserve(
    request: Pick<LedgerEntry, 'requestId' | 'workspace' | 'idempotencyKey' | 'reserved'>,
  ): LedgerEntry {
    const { requestId, workspace, idempotencyKey, reserved } = request;
    const totals = this.#totalsOf(workspace);
    if (reserved > available(totals)) throw new ServiceError('insufficient_credits');
    const named = { requestId, workspace, idempotencyKey, reserved };
    const booking: Booking = { ...named, state: 'running', debit: null, work: null, changes: [] };
    this.#note(booking);
    totals.held += reserved;
    this.#open.push(booking);
    return booking;
  }

  /** Debits at most what was reserved, and releases the rest. */
  succeed(entry: LedgerEntry, debit: number, work: Work | null = null): void {
    this.#settle(this.#own(entry, 'succeeded'), 'succeeded', { debit, work });
  }

  /** Releases the reservation without a debit. */
  fail(entry: LedgerEntry): void {
    this.#settle(this.#own(entry, 'failed'), 'failed', NO_DEBIT);
  }

  /** Keeps the reservation until the request is resolved. `owed` is the debit if it has completed. */
  review(
    entry: LedgerEntry,
    owed: number,
    resolved: (resolution: Resolution) => void,
    work: Work | null = null,
  ): void {
    const booking = this.#own(entry, 'under_review');
    checkDebit(booking, owed);
    booking.state = 'under_review';
    this.#reviews.set(booking, { owed: { debit: owed, work }, resolved });
    this.#note(booking);
  }

  /** Debits what is owed, or releases everything. Undefined: no request under review has this ID. */
  resolve(requestId: string, resolution: Resolution): LedgerEntry | undefined {
    const [entry, review] = this.#reviews.entries().find(([each]) => each.requestId === requestId) ?? [];
    if (entry === undefined || review === undefined) return undefined;
    if (resolution === 'completed') this.#settle(this.#own(entry, 'succeeded'), 'succeeded', review.owed);
    else this.fail(entry);
    review.resolved(resolution);
    return { ...entry };
  }

  /** Throws if there is no such workspace. */
  account(workspace: string): Account {
    const totals = this.#totalsOf(workspace);
    const { granted, debited, held } = totals;
    return { workspace, granted, debited, held, available: available(totals) };
  }

  /** Grants as many credits more, or fewer, as leave so many available. Adds a workspace that there is not. */
  setBalance(workspace: string, credits: number): void {
    const { debited, held, folded } = this.#totals.get(workspace) ?? { debited: 0, held: 0, folded: 0 };
    this.#totals.set(workspace, { granted: debited + held + credits, debited, held, folded });
  }

  /** Copies of the latest settled requests, then of the open ones, each oldest first. */
  entries(): readonly LedgerEntry[] {
    return this.#remembered().map((entry) => ({ ...entry }));
  }

  /** Undefined: it is unknown or forgotten. */
  find(requestId: string): LedgerEntry | undefined {
    const found = this.#remembered().find((entry) => entry.requestId === requestId);
    return found && { ...found };
  }

  /** A sentence for each rule of credits that is broken. */
  invariants(): readonly string[] {
    return [...brokenInvariants(this.#totals, this.#remembered())];
  }

  #remembered(): readonly LedgerEntry[] {
    this.#forget();
    return [...this.#settled, ...this.#open];
  }

  #totalsOf(workspace: string): WorkspaceTotals {
    const totals = this.#totals.get(workspace);
    if (totals === undefined) throw new Error('No such workspace');
    return totals;
  }

  /** The entry as a booking, which may change to this state. Throws unless this ledger opened it and it is still open. */
  #own(entry: LedgerEntry, next: RequestState): Booking {
    const { state } = entry;
    if (!isHeld(state) || state === next) throw new Error(`A request that is ${state} cannot become ${next}`);
    // The latest ones settle first, as a rule.
    const booking = this.#open.findLast((each) => each === entry);
    if (booking === undefined) throw new Error('No entry of this ledger');
    return booking;
  }

  #settle(booking: Booking, state: 'succeeded' | 'failed', { debit, work }: Debit): void {
    if (debit !== null) checkDebit(booking, debit);
    booking.state = state;
    booking.debit = debit;
    booking.work = work;
    this.#note(booking);
    const totals = this.#totalsOf(booking.workspace);
    totals.debited += debit ?? 0;
    totals.held -= booking.reserved;
    this.#reviews.delete(booking);
    this.#open.splice(this.#open.lastIndexOf(booking), 1);
    this.#settled.push(booking);
    // Many at once: to take the first one off a long list costs as much as all else here.
    if (this.#settled.length > this.#history * 2) this.#forget();
  }

  /** Adds its state to its history. */
  #note(booking: Booking): void {
    const { requestId, workspace, idempotencyKey, reserved, state, debit, changes } = booking;
    const named = { at: this.#clock(), requestId, workspace, idempotencyKey, reserved };
    booking.changes = [...changes, { ...named, state, debit, reservation: RESERVATION_OF[state] }];
  }

  #forget(): void {
    const forgotten = this.#settled.slice(0, Math.max(0, this.#settled.length - this.#history));
    for (const { workspace, debit } of forgotten) this.#totalsOf(workspace).folded += debit ?? 0;
    this.#settled = this.#settled.slice(forgotten.length);
  }
}

function checkDebit({ reserved }: LedgerEntry, debit: number): void {
  if (Number.isSafeInteger(debit) && debit >= 0 && debit <= reserved) return;
  throw new Error(`A debit of ${debit} does not fit a reservation of ${reserved}`);
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
