import type { Clock } from '../time/clock.ts';
import { hideKeys } from './hide-keys.ts';
import type { Arrival, Journal, JournalEntry, JournalRecord } from './journal.ts';
import { type JournalFilter, matchesFilter } from './journal-filter.ts';
import { JournalWriter } from './journal-writer.ts';
import type { Witness } from './witness.ts';

const REMEMBERED = 1000;

/** How long to wait for requests, and what ends the wait before. */
interface Patience {
  /** Milliseconds of real time. */
  readonly ms: number;
  readonly signal?: AbortSignal;
}

/** The last 1,000 requests of a sandbox, in memory. */
export class MemoryJournal implements Journal {
  readonly #clock: Clock;
  readonly #keys: readonly string[];
  readonly #remembered: number;
  readonly #witness: Witness | undefined;
  /** A ring once it is full: the entry of number n is at (n − 1) modulo its size. */
  readonly #ring: JournalEntry[] = [];
  readonly #waiting = new Set<() => void>();
  #came = 0;
  #closed = false;

  /** No entry shows any of these keys. A witness, where there is one, sees all that an entry does not show. */
  constructor(clock: Clock, keys: readonly string[], remembered = REMEMBERED, witness?: Witness) {
    this.#clock = clock;
    this.#keys = keys;
    this.#remembered = remembered;
    this.#witness = witness;
  }

  begin(arriving: Arrival): JournalRecord {
    const { requestId, idempotencyKey, method, url } = arriving;
    const n = this.#came + 1;
    const path = hideKeys(this.#keys, url.split('?', 1)[0] ?? '');
    const key = idempotencyKey === undefined ? null : hideKeys(this.#keys, idempotencyKey);
    const arrival = { n, at: this.#clock(), requestId, idempotencyKey: key, method, path };
    const writer =
      this.#witness?.watch(arriving, arrival, this.#tell) ?? new JournalWriter(arrival, this.#tell);
    this.#ring[this.#came % this.#remembered] = writer.entry;
    this.#came = n;
    this.#tell();
    return writer;
  }

  /** How many requests ever came. */
  get came(): number {
    return this.#came;
  }

  /** Those remembered, oldest first. They go on changing while their requests run. */
  entries(filter: JournalFilter = {}): readonly JournalEntry[] {
    const oldest = this.#came % this.#remembered;
    const inOrder =
      this.#came <= this.#remembered
        ? this.#ring
        : [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
    return inOrder.filter((entry) => matchesFilter(filter, entry));
  }

  /** True as soon as so many requests like that have come; false when the patience or the journal ended before. */
  until(count: number, filter: JournalFilter, { ms, signal }: Patience): Promise<boolean> {
    const isMet = (): boolean => this.#count(filter) >= count;
    if (isMet() || this.#closed || ms <= 0 || signal?.aborted === true) return Promise.resolve(isMet());
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const giveUp = (): void => end(false);
    const look = (): void => {
      if (isMet() || this.#closed) end(isMet());
    };
    const end = (met: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      this.#waiting.delete(look);
      resolve(met);
    };
    const timer = setTimeout(giveUp, ms).unref();
    signal?.addEventListener('abort', giveUp);
    this.#waiting.add(look);
    return promise;
  }

  /** Ends every wait, and all that would follow. */
  close(): void {
    this.#closed = true;
    this.#tell();
  }

  /** Without a filter all that ever came count, with one those remembered. */
  #count(filter: JournalFilter): number {
    return Object.keys(filter).length === 0 ? this.#came : this.entries(filter).length;
  }

  readonly #tell = (): void => {
    for (const look of this.#waiting) look();
  };
}
