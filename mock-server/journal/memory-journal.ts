import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Clock } from '../time/clock.ts';
import type { LedgerEntry } from '../workspace/ledger.ts';
import { type Arrival, type JournalEntry, JournalRecord } from './journal.ts';
import { hiddenSecrets, type NamedKey, shownWord } from './shown-exchange.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The requests of all sandboxes of one mock, in one order: numbers them and their changes, tells listeners, which do not
 * throw, and lets go of the oldest bodies when all together are too large.
 */
export class RequestFeed extends EventEmitter<{ request: [record: JournalRecord] }> {
  /** Other for each mock: numbers of one mean nothing to another. */
  readonly name = randomUUID();
  arrived = 0;
  changes = 0;
  /** How often a sandbox was created, deleted, or changed by somebody. */
  worldChanges = 0;
  readonly #mostBytes: number;
  /** The bytes of each request whose bodies are kept, oldest first. */
  readonly #kept = new Map<JournalRecord, number>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    super();
    this.#mostBytes = mostBytes;
    this.setMaxListeners(0);
  }

  changed(record: JournalRecord): void {
    this.changes += 1;
    record.change = this.changes;
    this.#weigh(record);
    this.emit('request', record);
  }

  /** Lets go of the bodies of a request. */
  drop(record: JournalRecord): void {
    this.#bytes -= this.#kept.get(record) ?? 0;
    this.#kept.delete(record);
    record.forget();
  }

  #weigh(record: JournalRecord): void {
    const before = this.#kept.get(record) ?? 0;
    if (record.size === before) return;
    this.#kept.set(record, record.size);
    this.#bytes += record.size - before;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.drop(oldest);
    }
  }
}

const WITNESSED = 1000;
const DROPPED_AT_ONCE = 500;

/** A request with all that its journal entry leaves out. It contains secrets: judge it, but never show it. */
export type RecordedRequest = JournalRecord & { readonly arrival: Arrival };

export interface WorkspaceRead {
  /** Milliseconds of the process's monotonic clock. */
  readonly at: number;
  /** The name of the operation of the control API. */
  readonly operation: string;
  /** The request ID or Idempotency-Key that was read; null: all requests. */
  readonly about: string | null;
  readonly entries: readonly LedgerEntry[];
}

/** Keeps the last requests of a sandbox whole, 500 to 1,000 of them, and the last 1,000 reads of its workspace. */
export class RequestRecorder {
  readonly requests: RecordedRequest[] = [];
  readonly workspaceReads: WorkspaceRead[] = [];
  /** How many of the oldest requests are no longer held. */
  dropped = 0;

  keep(record: JournalRecord, arrival: Arrival): void {
    if (this.requests.length >= WITNESSED) this.dropped += this.requests.splice(0, DROPPED_AT_ONCE).length;
    this.requests.push(Object.assign(record, { arrival, isWitnessed: true }));
  }

  saw(read: Omit<WorkspaceRead, 'at'>): void {
    if (this.workspaceReads.length >= WITNESSED) this.workspaceReads.shift();
    this.workspaceReads.push({ at: performance.now(), ...read });
  }
}

/** How many requests the journal of a sandbox keeps. */
export const REMEMBERED = 10_000;

interface JournalOptions {
  readonly clock: Clock;
  /** No entry shows any of them. */
  readonly keys: readonly NamedKey[];
  /** Null: the mock's own world. */
  readonly sandbox: string | null;
  /** That of the whole mock. */
  readonly feed: RequestFeed;
  /** Keeps requests for a judge, whatever the journal drops. */
  readonly recorder?: RequestRecorder | undefined;
}

/** What is known of every request when it arrives. */
export const NOTHING_KNOWN = {
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
  /** The remembered ones, oldest first. */
  readonly #records: JournalRecord[] = [];
  readonly #closing = new AbortController();
  /** Its requests are gone: nobody hears how their connections end. */
  #ended = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.since = options.feed.arrived;
  }

  /** Called once for each request, as soon as it has an ID. */
  begin(arrival: Arrival): JournalRecord {
    const { clock, keys, sandbox, feed, recorder } = this.#options;
    const { requestId, idempotencyKey, method, url } = arrival;
    // A body may be long, and is searched once somebody looks at it.
    const secrets = hiddenSecrets(keys, { ...arrival, body: url === '' ? arrival.body : null });
    feed.arrived += 1;
    const entry = {
      ...NOTHING_KNOWN,
      id: feed.arrived,
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
    this.#records.push(record);
    this.came += 1;
    const oldest = this.came > REMEMBERED ? this.#records.shift() : undefined;
    if (oldest !== undefined) feed.drop(oldest);
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
    return this.#records;
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
      await once(this.#options.feed, 'request', { signal: ended }).catch(() => {});
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
    for (const record of this.#records) this.#options.feed.drop(record);
  }

  /** Without a filter counts all requests so far; with one, the remembered ones. */
  #count(filter: JournalFilter): number {
    return Object.keys(filter).length === 0 ? this.came : this.entries(filter).length;
  }

  readonly #changed = (record: JournalRecord): void => {
    if (!this.#ended) this.#options.feed.changed(record);
  };
}

const FILTERED = ['endpoint', 'key', 'requestId', 'idempotencyKey', 'status', 'ended'] as const;

/** Selects the entries that have all of these; null: what is not known (yet). */
export type JournalFilter = { readonly [Name in (typeof FILTERED)[number]]?: JournalEntry[Name] | undefined };

export function matchesFilter(filter: JournalFilter, entry: JournalEntry): boolean {
  return FILTERED.every((field) => filter[field] === undefined || filter[field] === entry[field]);
}
