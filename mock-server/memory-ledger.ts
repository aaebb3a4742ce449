import type { Account, Ledger, LedgerEntry, ReservationRequest } from './ledger.ts';
import { brokenInvariants, type Totals } from './ledger-invariants.ts';
import { settle } from './request-state.ts';
import { ServiceError } from './service-error.ts';
import type { Workspace } from './world.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Purse {
  readonly granted: number;
  debited: number;
  held: number;
  /** Debits of settled entries that are no longer remembered one by one. */
  folded: number;
}

/** The ledger of one world, in memory. It remembers the last `history` settled requests, and totals of the rest. */
export class MemoryLedger implements Ledger {
  readonly #purses: ReadonlyMap<string, Purse>;
  readonly #running = new Set<Mutable<LedgerEntry>>();
  /** A ring: `#oldest` is the next to be folded once it is full. */
  readonly #settled: LedgerEntry[] = [];
  readonly #history: number;
  #oldest = 0;

  constructor(workspaces: readonly Workspace[], history: number) {
    this.#purses = new Map(
      workspaces.map(({ id, credits }) => [id, { granted: credits, debited: 0, held: 0, folded: 0 }]),
    );
    this.#history = history;
  }

  reserve(request: ReservationRequest): LedgerEntry {
    const purse = this.#purse(request.workspace);
    if (request.reserved > purse.granted - purse.debited - purse.held) {
      throw new ServiceError('insufficient_credits');
    }
    const { requestId, workspace, idempotencyKey, reserved } = request;
    const entry: Mutable<LedgerEntry> = {
      requestId,
      workspace,
      idempotencyKey,
      reserved,
      state: 'running',
      debit: null,
    };
    purse.held += reserved;
    this.#running.add(entry);
    return entry;
  }

  succeed(entry: LedgerEntry, debit: number): void {
    const own = this.#own(entry);
    const state = settle(own.state, 'succeeded');
    if (!Number.isSafeInteger(debit) || debit < 0 || debit > own.reserved) {
      throw new Error(`A debit of ${debit} does not fit a reservation of ${own.reserved}`);
    }
    own.debit = debit;
    this.#purse(own.workspace).debited += debit;
    this.#leave(own, state);
  }

  fail(entry: LedgerEntry): void {
    const own = this.#own(entry);
    this.#leave(own, settle(own.state, 'failed'));
  }

  account(workspace: string): Account | undefined {
    const purse = this.#purses.get(workspace);
    if (purse === undefined) return undefined;
    const { granted, debited, held } = purse;
    return { granted, debited, held, available: granted - debited - held };
  }

  entries(): readonly LedgerEntry[] {
    const { length } = this.#settled;
    const settled = this.#settled.map((_, index) => this.#settled[(this.#oldest + index) % length]);
    return [...settled, ...this.#running].flatMap((entry) => (entry === undefined ? [] : [{ ...entry }]));
  }

  invariants(): readonly string[] {
    return brokenInvariants(new Map<string, Totals>(this.#purses), this.entries());
  }

  #purse(workspace: string): Purse {
    const purse = this.#purses.get(workspace);
    if (purse === undefined) throw new Error('No such workspace');
    return purse;
  }

  /** The entry as one that may change: only what this ledger opened, and only until it is settled. */
  #own(entry: LedgerEntry): Mutable<LedgerEntry> {
    if (this.#running.has(entry)) return entry;
    settle(entry.state, 'failed');
    throw new Error('No entry of this ledger');
  }

  #leave(entry: Mutable<LedgerEntry>, state: 'succeeded' | 'failed'): void {
    entry.state = state;
    this.#purse(entry.workspace).held -= entry.reserved;
    this.#running.delete(entry);
    this.#remember(entry);
  }

  #remember(entry: LedgerEntry): void {
    const forgotten = this.#settled.length < this.#history ? undefined : this.#settled[this.#oldest];
    if (forgotten === undefined) {
      this.#settled.push(entry);
      return;
    }
    this.#purse(forgotten.workspace).folded += forgotten.debit ?? 0;
    this.#settled[this.#oldest] = entry;
    this.#oldest = (this.#oldest + 1) % this.#history;
  }
}
