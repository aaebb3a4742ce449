import type { Outcome } from '../../suites/engine/model/exchange.ts';
import { ReceivedBody } from '../../suites/engine/sending/received-body.ts';

/** Names and values in turn, as they stand in a message. */
export type RawHeaders = readonly string[];

/** One request on its way through the proxy. It holds keys. */
export interface RelayedRequest {
  /** From 1, in the order of arrival. */
  readonly n: number;
  /** ISO 8601. */
  readonly at: string;
  /** In milliseconds of `performance.now()`. */
  readonly arrivedAt: number;
  readonly method: string;
  /** As it stands in the request line. */
  readonly url: string;
  readonly rawHeaders: RawHeaders;
  readonly body: BodyCopy;
}

/** A request whose answer has ended. It holds keys. */
export interface RelayedExchange extends RelayedRequest {
  readonly outcome: Outcome;
  /** What the answer in the outcome was read from. */
  readonly answerBody: BodyCopy;
  readonly endedAt: number;
  /** Whether a recording answered it in place of the target. */
  readonly isRepeat: boolean;
}

/** The bytes that all copies together may still take until their exchanges are recorded. */
export interface CopyRoom {
  free: number;
}

/** In bytes. Chats with images are longer than those of a run, and a part of a chat cannot be judged. */
export const MOST_KEPT = 2 * 1024 * 1024;

/** The copy of a body that passes. */
export class BodyCopy extends ReceivedBody {
  readonly #room: CopyRoom;
  #taken = 0;
  /** There was no room for the copy. */
  isLost = false;

  constructor(room: CopyRoom) {
    super(MOST_KEPT);
    this.#room = room;
  }

  override add(chunk: Uint8Array, at: number): void {
    const bytes = Math.min(chunk.length, MOST_KEPT - this.#taken);
    this.isLost ||= bytes > this.#room.free;
    if (this.isLost) return;
    this.#room.free -= bytes;
    this.#taken += bytes;
    super.add(chunk, at);
  }

  /** Gives the room back: the exchange is recorded, or never will be. */
  release(): void {
    this.#room.free += this.#taken;
    this.#taken = 0;
  }
}
