import { once } from 'node:events';
import type { Clock } from '../time/clock.ts';
import { type Arrival, type Ended, type JournalEntry, JournalRecord } from './journal.ts';
import { RequestFeed } from './request-feed.ts';
import type { RequestRecorder } from './request-recorder.ts';
import { hiddenSecrets, type NamedKey, shownWord } from './shown-exchange.ts';

/** How many requests the journal of a sandbox keeps. */
export const REMEMBERED = 10_000;

export interface JournalOptions {
  /** Of the world. */
  readonly clock: Clock;
  /** No entry shows any of them. */
  readonly keys: readonly NamedKey[];
  /** Null: the mock's own world. */
  readonly sandbox?: string | null;
  /** That of the whole mock. */
  readonly feed?: RequestFeed;
  /** Keeps requests for a judge, whatever the journal drops. */
  readonly recorder?: RequestRecorder | undefined;
}

/** What is known of every request when it arrives. */
const NOTHING_KNOWN = {
  ms: null,
  endpoint: null,
  key: null,
  model: null,
  stream: false,
  phases: [],
  fault: null,
  faults: [],
  answer: null,
  status: null,
  bytesWritten: 0,
  ledger: [],
  ended: null,
} as const;

/** The last 10,000 requests of a sandbox, in memory. */
export class MemoryJournal {
  /** The number of the last request of the mock before this journal began. */
  readonly since: number;
  /** How many requests arrived so far. */
  came = 0;
  readonly #options: JournalOptions;
  readonly #feed: RequestFeed;
  /** A ring once it is full: request n is at (n − 1) modulo its size. */
  readonly #ring: JournalRecord[] = [];
  readonly #closing = new AbortController();
  /** Its requests are gone: nobody hears how their connections end. */
  #ended = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#feed = options.feed ?? new RequestFeed();
    this.since = this.#feed.arrived;
  }

  /** Called once for each request, as soon as it has an ID. */
  begin(arrival: Arrival): JournalRecord {
    const { clock, keys, sandbox = null, recorder } = this.#options;
    const { requestId, idempotencyKey, method, url } = arrival;
    // A body may be long, and is searched once somebody looks at it.
    const secrets = hiddenSecrets(keys, { ...arrival, body: url === '' ? arrival.body : null });
    this.#feed.arrived += 1;
    const entry = {
      ...NOTHING_KNOWN,
      id: this.#feed.arrived,
      sandbox,
      n: this.came + 1,
      requestId,
      at: clock(),
      realAt: Date.now(),
      idempotencyKey: idempotencyKey === undefined ? null : shownWord(idempotencyKey, secrets),
      method,
      path: shownWord(url.split('?', 1)[0] ?? '', secrets),
    };
    const record = new JournalRecord(entry, arrival, this.#changed);
    if (arrival.isRequest !== false) recorder?.keep(record, arrival);
    this.#remember(record);
    this.#changed(record);
    return record;
  }

  /** The remembered entries, oldest first. They change while their requests run. */
  entries(filter: JournalFilter = {}): readonly JournalEntry[] {
    return this.records()
      .map(({ entry }) => entry)
      .filter((entry) => matchesFilter(filter, entry));
  }

  /** The same with what the entries leave out, secrets included. */
  records(): readonly JournalRecord[] {
    const oldest = this.came % REMEMBERED;
    if (this.came <= REMEMBERED) return this.#ring;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
  }

  /**
   * Resolves with true once `count` matching requests have arrived; with false after so many milliseconds of real time,
   * or if the wait ends before.
   */
  async until(
    count: number,
    filter: JournalFilter,
    { ms, signal }: { readonly ms: number; readonly signal?: AbortSignal },
  ): Promise<boolean> {
    const ends = [this.#closing.signal, AbortSignal.timeout(Math.max(0, ms)), ...(signal ? [signal] : [])];
    const ended = AbortSignal.any(ends);
    while (this.#count(filter) < count && !ended.aborted)
      await once(this.#feed, 'request', { signal: ended }).catch(() => {});
    return this.#count(filter) >= count;
  }

  /** Ends every wait, now and later. */
  close(): void {
    this.#closing.abort();
  }

  /** Closes it, and lets go of everything. */
  end(): void {
    this.close();
    this.#ended = true;
    for (const record of this.#ring) this.#feed.drop(record);
  }

  /** Without a filter counts all requests so far; with one, the remembered ones. */
  #count(filter: JournalFilter): number {
    return Object.keys(filter).length === 0 ? this.came : this.entries(filter).length;
  }

  #remember(record: JournalRecord): void {
    const at = this.came % REMEMBERED;
    const dropped = this.#ring[at];
    if (dropped !== undefined) this.#feed.drop(dropped);
    this.#ring[at] = record;
    this.came += 1;
  }

  readonly #changed = (record: JournalRecord): void => {
    if (!this.#ended) this.#feed.changed(record);
  };
}

const EQUAL = ['endpoint', 'key', 'requestId', 'idempotencyKey', 'status'] as const;

/** Selects the entries that have all of these. */
export interface JournalFilter extends Partial<Pick<JournalEntry, (typeof EQUAL)[number]>> {
  /** The name of the fault that triggered. */
  readonly fault?: string;
  /** `running`: it has not ended yet. */
  readonly ended?: Ended | 'running';
  /** Only entries after this number. */
  readonly after?: number;
}

export function matchesFilter(filter: JournalFilter, entry: JournalEntry): boolean {
  const { fault, ended, after = 0 } = filter;
  if (entry.n <= after) return false;
  if (fault !== undefined && entry.fault?.fault !== fault) return false;
  if (ended !== undefined && (entry.ended ?? 'running') !== ended) return false;
  return EQUAL.every((field) => filter[field] === undefined || filter[field] === entry[field]);
}
