import { createHash, type Hash } from 'node:crypto';
import type { Answer, Piece } from '../model/exchange.ts';

/** More than this of a body is counted and hashed, and not kept: a whole answer is far smaller. */
export const KEPT_BYTES = 256 * 1024;

/** The body of an answer as it arrives: a bounded part of it is kept, however long it is. */
export class ReceivedBody {
  readonly #kept: Buffer[] = [];
  readonly #pieces: Piece[] = [];
  readonly #most: number;
  #length = 0;
  /** Of the whole body, from the first byte on that is not kept. */
  #hash: Hash | undefined;
  /** Bytes that arrived, kept or not. */
  size = 0;
  /** The chunks in which they arrived. */
  chunks = 0;

  constructor(most = KEPT_BYTES) {
    this.#most = most;
  }

  add(chunk: Uint8Array, at: number): void {
    this.size += chunk.length;
    this.chunks += 1;
    const room = this.#most - this.#length;
    if (chunk.length > room) this.#hash ??= createHash('sha256').update(Buffer.concat(this.#kept));
    this.#hash?.update(chunk);
    if (room === 0 || chunk.length === 0) return;
    // Copied: a chunk of one byte is a view of the whole buffer of its socket.
    const kept = Buffer.from(chunk.subarray(0, room));
    this.#kept.push(kept);
    this.#length += kept.length;
    this.#pieces.push({ at, upTo: this.#length });
  }

  /** `whole`: only where something of it was not kept. */
  read(): Pick<Answer, 'body' | 'pieces' | 'whole'> {
    const kept = Buffer.concat(this.#kept);
    if (this.#hash === undefined) return { body: kept, pieces: this.#pieces };
    let end = kept.length;
    // Without the last bytes of UTF-8, which may be a part of a character, text stays text.
    while (end > kept.length - 4 && (kept[end - 1] ?? 0) >= 0x80) end -= 1;
    const body = kept.subarray(0, end);
    const pieces = this.#pieces.map(({ at, upTo }) => ({ at, upTo: Math.min(upTo, body.length) }));
    return { body, pieces, whole: { bytes: this.size, sha256: this.#hash.copy().digest('hex') } };
  }
}
