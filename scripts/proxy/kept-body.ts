import type { Answer } from '../../suites/kit/model/exchange.ts';
import { ReceivedBody } from '../../suites/kit/sending/received-body.ts';

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

/** The copy of a body that passes by: as much of it as runs keep, while there is room. */
export class KeptBody {
  readonly #room: BodyRoom;
  readonly #received = new ReceivedBody();
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
