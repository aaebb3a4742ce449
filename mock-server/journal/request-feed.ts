import { randomUUID } from 'node:crypto';
import type { JournalWriter } from './journal-writer.ts';

/** How many bytes of requests and answers are kept in all. */
const MOST_BYTES = 64 * 1024 * 1024;
/** What a request takes beside its bodies: headers, mostly. */
const BESIDE_BODIES = 1024;

/** Hears of the requests of a mock. No call throws. */
export interface FeedListener {
  /** A request has arrived, or changed. */
  readonly request?: (writer: JournalWriter) => void;
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
  readonly #mostBytes: number;
  readonly #listeners = new Set<FeedListener>();
  /** In the order of arrival. */
  readonly #kept = new Set<JournalWriter>();
  #bytes = 0;
  #arrived = 0;
  #changes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** The number of the latest arrival. */
  get arrived(): number {
    return this.#arrived;
  }

  /** The number of the latest change. */
  get changes(): number {
    return this.#changes;
  }

  /** The number of one more arrival. */
  next(): number {
    this.#arrived += 1;
    return this.#arrived;
  }

  changed(writer: JournalWriter): void {
    this.#changes += 1;
    writer.change = this.#changes;
    this.#weigh(writer);
    if (this.#listeners.size === 0) return;
    for (const { request } of this.#listeners) request?.(writer);
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

  /** The journal has dropped the entry. */
  drop(writer: JournalWriter): void {
    this.#bytes -= writer.weight;
    this.#kept.delete(writer);
    writer.forget();
  }

  /** At the arrival, and when the answer is there. */
  #weigh(writer: JournalWriter): void {
    const { request, answer, weight } = writer;
    if (request === null || (weight > 0 && answer === null)) return;
    const bytes = BESIDE_BODIES + (request.body?.length ?? 0) + (answer?.body.length ?? 0);
    if (bytes === weight) return;
    if (weight === 0) this.#kept.add(writer);
    writer.weight = bytes;
    this.#bytes += bytes - weight;
    while (this.#bytes > this.#mostBytes) this.#dropOldest();
  }

  #dropOldest(): void {
    const [oldest] = this.#kept;
    if (oldest !== undefined) this.drop(oldest);
  }
}
