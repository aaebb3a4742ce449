import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { JournalEntry } from '../../../journal/journal.ts';
import { authorization } from './control-api.ts';
import { RequestList } from './request-list.ts';

export type Connection = 'connecting' | 'live' | 'lost' | 'token';

const RETRY_MS = 1000;
/** What changes more often is shown together. */
const SHOW_EVERY_MS = 60;
/** What has to be asked for is asked for less often. */
const CHANGE_EVERY_MS = 200;

/** Follows the requests of the mock, and comes back when the connection breaks. */
export class LiveRequests {
  readonly list = new RequestList();
  connection: Connection = 'connecting';
  /** Another number, a few times a second at most, whenever money, faults or worlds may have changed. */
  changes = 0;
  readonly #listeners = new Set<() => void>();
  #lastEventId = '';
  #changing: ReturnType<typeof setTimeout> | undefined;
  #showing: ReturnType<typeof setTimeout> | undefined;

  /** Returns the function that ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Follows until the mock asks for a token; called again once there is one. */
  async follow(): Promise<void> {
    this.#become('connecting');
    for (;;) {
      const isRefused = await this.#read().catch(() => false);
      if (isRefused) return this.#become('token');
      this.#become('lost');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Returns whether a token is wanted, once the connection has ended. */
  async #read(): Promise<boolean> {
    const headers = { ...authorization(), 'last-event-id': this.#lastEventId };
    const response = await fetch('/control/events', { headers, cache: 'no-store' });
    if (response.status === 401) return true;
    if (!response.ok || response.body === null) return false;
    this.#become('live');
    const parser = createParser({ onEvent: (event) => this.#take(event) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(part.value);
    return false;
  }

  #take({ event, data, id }: EventSourceMessage): void {
    if (id !== undefined) this.#lastEventId = id;
    if (event === 'worlds') this.list.setWorlds(JSON.parse(data));
    if (event === 'request') {
      const entry: JournalEntry = JSON.parse(data);
      this.list.put(entry);
    }
    this.#count();
    this.#show();
  }

  #become(connection: Connection): void {
    this.connection = connection;
    this.#show();
  }

  #count(): void {
    if (this.#changing !== undefined) return;
    this.#changing = setTimeout(() => {
      this.#changing = undefined;
      this.changes += 1;
      this.#show();
    }, CHANGE_EVERY_MS);
  }

  #show(): void {
    if (this.#showing !== undefined) return;
    this.#showing = setTimeout(() => {
      this.#showing = undefined;
      for (const listener of this.#listeners) listener();
    }, SHOW_EVERY_MS);
  }
}
