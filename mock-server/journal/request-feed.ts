import { randomUUID } from 'node:crypto';
import type { JournalRecord } from './journal.ts';

/** How many bytes of requests and answers are kept in all. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Hears of the requests of a mock. No call throws. */
export interface FeedListener {
  /** A request has arrived, or changed. */
  readonly request?: (record: JournalRecord) => void;
  /** Sandboxes were created, deleted or reset. */
  readonly worlds?: () => void;
  /** Somebody changed something in a sandbox over the control API; null: in the mock's own world. */
  readonly controlled?: (sandbox: string | null) => void;
}

/**
 * The requests of all sandboxes of one mock, in one order: numbers them and their changes, tells listeners, and lets go
 * of the oldest bodies when all together are too large.
 */
export class RequestFeed {
  /** Other for each mock: numbers of one mean nothing to another. */
  readonly name = randomUUID();
  /** The number of the latest arrival. */
  arrived = 0;
  /** The number of the latest change. */
  changes = 0;
  readonly #mostBytes: number;
  readonly #listeners = new Set<FeedListener>();
  /** In the order of arrival. */
  readonly #kept = new Set<JournalRecord>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  changed(record: JournalRecord): void {
    this.changes += 1;
    record.change = this.changes;
    this.#weigh(record);
    for (const { request } of this.#listeners) request?.(record);
  }

  worldsChanged(): void {
    for (const { worlds } of this.#listeners) worlds?.();
  }

  controlled(sandbox: string | null): void {
    for (const { controlled } of this.#listeners) controlled?.(sandbox);
  }

  /** Returns the function that ends it. */
  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lets go of the bodies of a request. */
  drop(record: JournalRecord): void {
    this.#kept.delete(record);
    this.#bytes -= record.weight;
    record.weight = 0;
    record.forget();
  }

  #weigh(record: JournalRecord): void {
    const { size, weight } = record;
    if (size === weight) return;
    this.#kept.add(record);
    this.#bytes += size - weight;
    record.weight = size;
    for (const oldest of this.#kept) {
      if (this.#bytes <= this.#mostBytes) return;
      this.drop(oldest);
    }
  }
}
