import type { Clock } from '../time/clock.ts';
import { hiddenSecrets, shownWord } from './hidden-secrets.ts';
import { JournalWriter } from './journal-writer.ts';
import type { Arrival, Journal, JournalEntry, JournalRecord } from './journal.ts';
import { RequestFeed } from './request-feed.ts';
import type { RequestRecorder } from './request-recorder.ts';

/** How many requests the journal of a sandbox keeps. */
export const REMEMBERED = 10_000;

/** How long to wait for requests, and what ends the wait early. */
interface WaitLimits {
  /** Milliseconds of real time. */
  readonly ms: number;
  readonly signal?: AbortSignal;
}

interface JournalOptions {
  /** Of the world. */
  readonly clock: Clock;
  /** No entry shows any of them. */
  readonly keys: readonly string[];
  /** Null: the mock's own world. */
  readonly sandbox?: string | null;
  /** That of the whole mock. */
  readonly feed?: RequestFeed;
  readonly remembered?: number;
  /** Keeps requests for a judge, whatever the journal drops. */
  readonly recorder?: RequestRecorder | undefined;
}

/** The last 10,000 requests of a sandbox, in memory. */
export class MemoryJournal implements Journal {
  readonly #clock: Clock;
  readonly #keys: readonly string[];
  readonly #sandbox: string | null;
  readonly #feed: RequestFeed;
  readonly #remembered: number;
  readonly #recorder: RequestRecorder | undefined;
  /** A ring once it is full: entry n is at (n − 1) modulo its size. */
  readonly #ring: JournalWriter[] = [];
  readonly #waiting = new Set<() => void>();
  /** The number of the last request of the mock before this journal began. */
  readonly since: number;
  #came = 0;
  #closed = false;
  /** Its requests are gone: nobody hears how their connections end. */
  #ended = false;

  constructor({ clock, keys, sandbox = null, feed, remembered = REMEMBERED, recorder }: JournalOptions) {
    this.#clock = clock;
    this.#keys = keys;
    this.#sandbox = sandbox;
    this.#feed = feed ?? new RequestFeed();
    this.#remembered = remembered;
    this.#recorder = recorder;
    this.since = this.#feed.arrived;
  }

  begin(arriving: Arrival): JournalRecord {
    const { requestId, idempotencyKey, method, url } = arriving;
    const n = this.#came + 1;
    // A body may be long, and is searched once somebody looks at it.
    const body = url === '' ? arriving.body : null;
    const secrets = hiddenSecrets(this.#keys, { url, headers: arriving.rawHeaders, body });
    const path = shownWord(url.split('?', 1)[0] ?? '', secrets);
    const key = idempotencyKey === undefined ? null : shownWord(idempotencyKey, secrets);
    const times = { at: this.#clock(), realAt: Date.now() };
    const named = { id: this.#feed.next(), sandbox: this.#sandbox, n, requestId };
    const start = { ...named, ...times, idempotencyKey: key, method, path };
    const recorder = arriving.isRequest === false ? undefined : this.#recorder;
    const writer =
      recorder?.record(arriving, start, this.#changed) ?? new JournalWriter(start, arriving, this.#changed);
    this.#remember(writer);
    this.#changed(writer);
    return writer;
  }

  /** How many requests arrived so far. */
  get came(): number {
    return this.#came;
  }

  /** The remembered entries, oldest first. They change while their requests run. */
  entries(filter: JournalFilter = {}): readonly JournalEntry[] {
    return this.writers()
      .map(({ entry }) => entry)
      .filter((entry) => matchesFilter(filter, entry));
  }

  /** The same with what the entries leave out, secrets included. */
  writers(): readonly JournalWriter[] {
    const oldest = this.#came % this.#remembered;
    if (this.#came <= this.#remembered) return this.#ring;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
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

  /** Closes it, and lets go of everything. */
  end(): void {
    this.close();
    this.#ended = true;
    for (const writer of this.#ring) this.#feed.drop(writer);
  }

  /** Without a filter counts all requests so far; with one, the remembered ones. */
  #count(filter: JournalFilter): number {
    return Object.keys(filter).length === 0 ? this.#came : this.entries(filter).length;
  }

  #remember(writer: JournalWriter): void {
    const at = this.#came % this.#remembered;
    const dropped = this.#ring[at];
    if (dropped !== undefined) this.#feed.drop(dropped);
    this.#ring[at] = writer;
    this.#came += 1;
  }

  readonly #changed = (writer: JournalWriter): void => {
    if (this.#ended) return;
    this.#feed.changed(writer);
    if (this.#waiting.size > 0) this.#notify();
  };

  #notify(): void {
    for (const look of this.#waiting) look();
  }
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
