import type { Clock } from '../time/clock.ts';
import {
  type Arrival,
  type Journal,
  type JournalEntry,
  type JournalRecord,
  JournalWriter,
} from './journal.ts';
import type { RequestRecorder } from './request-recorder.ts';

const REMEMBERED = 1000;

/** How long to wait for requests, and what ends the wait early. */
interface WaitLimits {
  /** Milliseconds of real time. */
  readonly ms: number;
  readonly signal?: AbortSignal;
}

/** The last 1,000 requests of a sandbox, in memory. */
export class MemoryJournal implements Journal {
  readonly #clock: Clock;
  readonly #keys: readonly string[];
  readonly #remembered: number;
  readonly #recorder: RequestRecorder | undefined;
  /** A ring once it is full: entry n is at (n − 1) modulo its size. */
  readonly #ring: JournalEntry[] = [];
  readonly #waiting = new Set<() => void>();
  #came = 0;
  #closed = false;

  /** No entry shows any of the keys. A recorder keeps what the entries leave out. */
  constructor(clock: Clock, keys: readonly string[], remembered = REMEMBERED, recorder?: RequestRecorder) {
    this.#clock = clock;
    this.#keys = keys;
    this.#remembered = remembered;
    this.#recorder = recorder;
  }

  begin(arriving: Arrival): JournalRecord {
    const { requestId, idempotencyKey, method, url } = arriving;
    const n = this.#came + 1;
    const path = hideKeys(this.#keys, url.split('?', 1)[0] ?? '');
    const key = idempotencyKey === undefined ? null : hideKeys(this.#keys, idempotencyKey);
    const arrival = { n, at: this.#clock(), requestId, idempotencyKey: key, method, path };
    const writer =
      this.#recorder?.record(arriving, arrival, this.#notify) ?? new JournalWriter(arrival, this.#notify);
    this.#ring[this.#came % this.#remembered] = writer.entry;
    this.#came = n;
    this.#notify();
    return writer;
  }

  /** How many requests arrived so far. */
  get came(): number {
    return this.#came;
  }

  /** The remembered entries, oldest first. They change while their requests run. */
  entries(filter: JournalFilter = {}): readonly JournalEntry[] {
    const oldest = this.#came % this.#remembered;
    const inOrder =
      this.#came <= this.#remembered
        ? this.#ring
        : [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
    return inOrder.filter((entry) => matchesFilter(filter, entry));
  }

  /** Resolves with true once `count` matching requests have arrived; with false if the wait ends first. */
  until(count: number, filter: JournalFilter, { ms, signal }: WaitLimits): Promise<boolean> {
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

  /** Ends every wait, now and later. */
  close(): void {
    this.#closed = true;
    this.#notify();
  }

  /** Without a filter counts all requests so far; with one, the remembered ones. */
  #count(filter: JournalFilter): number {
    return Object.keys(filter).length === 0 ? this.#came : this.entries(filter).length;
  }

  readonly #notify = (): void => {
    for (const look of this.#waiting) look();
  };
}

/** Selects the entries that have all of these. */
export interface JournalFilter {
  readonly endpoint?: JournalEntry['endpoint'];
  /** The name of a key. */
  readonly key?: string;
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  readonly status?: number;
  /** The name of the fault that triggered. */
  readonly fault?: string;
  /** `running`: it has not ended yet. */
  readonly ended?: NonNullable<JournalEntry['ended']> | 'running';
  /** Only entries after this number. */
  readonly after?: number;
}

export function matchesFilter(filter: JournalFilter, entry: JournalEntry): boolean {
  const { fault, ended, after = 0, ...equal } = filter;
  if (entry.n <= after) return false;
  if (fault !== undefined && entry.fault?.fault !== fault) return false;
  if (ended !== undefined && (entry.ended ?? 'running') !== ended) return false;
  return isLike(entry, equal);
}

function isLike(
  entry: JournalEntry,
  wanted: Pick<JournalFilter, 'endpoint' | 'key' | 'requestId' | 'idempotencyKey' | 'status'>,
): boolean {
  const { endpoint, key, requestId, idempotencyKey, status } = wanted;
  return (
    (endpoint === undefined || entry.endpoint === endpoint) &&
    (key === undefined || entry.key === key) &&
    (requestId === undefined || entry.requestId === requestId) &&
    (idempotencyKey === undefined || entry.idempotencyKey === idempotencyKey) &&
    (status === undefined || entry.status === status)
  );
}

const LONGEST = 256;
const HIDDEN = '(a key)';

/**
 * Removes every key of the world from a text of the caller, and cuts it to 256 code units. Hides a text entirely if it
 * contains a key only after percent-decoding.
 */
function hideKeys(keys: readonly string[], text: string): string {
  if (keys.some((key) => decoded(text).includes(key) && !text.includes(key))) return HIDDEN;
  const safe = keys.reduce((rest, key) => rest.replaceAll(key, HIDDEN), text);
  return safe.slice(0, LONGEST).toWellFormed();
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
    String.fromCodePoint(Number.parseInt(code.slice(1), 16)),
  );
}
