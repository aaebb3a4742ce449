import type { Answer } from '../../suites/kit/model/exchange.ts';
import { ReceivedBody } from '../../suites/kit/sending/received-body.ts';
import type { RawHeaders } from './hop-by-hop.ts';

/** How the answer of a request ended. */
export type RelayEnd =
  | { readonly kind: 'whole' }
  /** The target was not reached: nothing left for it. */
  | { readonly kind: 'unreached'; readonly why: string }
  /** The connection to the target broke. */
  | { readonly kind: 'cut'; readonly why: string }
  /** The caller closed its connection first. */
  | { readonly kind: 'left' };

/** The answer of the target, as far as it has come. */
export interface RelayedAnswer {
  readonly status: number;
  readonly rawHeaders: RawHeaders;
  /** When its head came; times are those of `performance.now()`. */
  readonly headersAt: number;
  readonly body: KeptBody;
}

/** One request on its way through the proxy, and its answer. It holds keys. */
export interface RelayedExchange {
  /** From 1, in the order in which they arrived. */
  readonly n: number;
  /** ISO 8601. */
  readonly at: string;
  readonly arrivedAt: number;
  readonly method: string;
  /** As it stands in the request line. */
  readonly url: string;
  readonly rawHeaders: RawHeaders;
  readonly body: KeptBody;
  answer: RelayedAnswer | undefined;
  /** Undefined while it is under way. */
  end: RelayEnd | undefined;
  endedAt: number | undefined;
  /** Whether a recording answers it, and not the target. */
  isRepeat: boolean;
}

/** Is told of every request. */
export interface RelayWatcher {
  readonly arrived: (relayed: RelayedExchange) => void;
  /** Its request, its answer and its end are complete. */
  readonly ended: (relayed: RelayedExchange) => void;
}

/** All bodies that are on their way, or wait to be recorded, take no more. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The memory that the bodies of a proxy share. */
export class BodyRoom {
  #free: number;

  constructor(most = MOST_BYTES) {
    this.#free = most;
  }

  /** Whether there was room for so many bytes more. */
  take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#free += bytes;
  }
}

/** Chats with images are longer than those of a run, and a part of one says nothing. */
export const MOST_KEPT = 2 * 1024 * 1024;

/** The copy of a body that passes by, while there is room. */
export class KeptBody {
  readonly #room: BodyRoom;
  readonly #received = new ReceivedBody(MOST_KEPT);
  readonly #since: number;
  #taken = 0;
  /** There was no room for all of it: nothing can be said of it. */
  isLost = false;

  /** `since`: the time from which the times of its pieces count. */
  constructor(room: BodyRoom, since: number) {
    this.#room = room;
    this.#since = since;
  }

  get size(): number {
    return this.#received.size;
  }

  add(chunk: Uint8Array): void {
    if (this.isLost) return;
    if (this.#room.take(chunk.length)) {
      this.#taken += chunk.length;
      this.#received.add(chunk, performance.now() - this.#since);
    } else this.isLost = true;
  }

  read(): Pick<Answer, 'body' | 'pieces' | 'whole'> {
    return this.#received.read();
  }

  /** It has been recorded, or never will be. */
  release(): void {
    this.#room.give(this.#taken);
    this.#taken = 0;
  }
}
