import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { JournalRecord } from './journal.ts';

/** How many bytes of requests and answers are kept in all. */
const MOST_BYTES = 64 * 1024 * 1024;

interface FeedEvents {
  /** A request has arrived, or changed. */
  readonly request: [record: JournalRecord];
  /** Sandboxes were created, deleted or reset. */
  readonly worlds: [];
  /** Somebody changed something in a sandbox over the control API; null: in the mock's own world. */
  readonly controlled: [sandbox: string | null];
}

/**
 * The requests of all sandboxes of one mock, in one order: numbers them and their changes, tells listeners, which do not
 * throw, and lets go of the oldest bodies when all together are too large.
 */
export class RequestFeed extends EventEmitter<FeedEvents> {
  /** Other for each mock: numbers of one mean nothing to another. */
  readonly name = randomUUID();
  /** The number of the latest arrival. */
  arrived = 0;
  /** The number of the latest change. */
  changes = 0;
  readonly #mostBytes: number;
  /** In the order of arrival. */
  readonly #kept = new Set<JournalRecord>();
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
