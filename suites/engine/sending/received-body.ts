import { createHash, type Hash } from 'node:crypto';
import type { Answer, Piece } from '../model/exchange.ts';

/** More than this of a body is counted and hashed, and not kept: a whole answer is far smaller. */
const KEPT_BYTES = 256 * 1024;

/** Pieces beyond this many are merged two by two: a stream has fewer events that tell when text came. */
const MOST_PIECES = 8192;

/** The body of an answer as it arrives: a bounded part of it is kept, however long it is and into whatever it is cut. */
export class ReceivedBody {
  readonly #most: number;
  #kept: Buffer = Buffer.alloc(0);
  #length = 0;
  #pieces: Piece[] = [];
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
    if (room > 0 && chunk.length > 0) this.#keep(chunk.subarray(0, room), at);
    if (chunk.length <= room) return;
    this.#hash ??= createHash('sha256').update(this.#kept.subarray(0, this.#length - room));
    this.#hash.update(chunk);
  }

  #keep(chunk: Uint8Array, at: number): void {
    const length = this.#length + chunk.length;
    // Copied: a chunk of one byte is a view of the whole buffer of its socket.
    if (length > this.#kept.length) {
      // Most answers come in one chunk, for which there is exactly room.
      const larger = Buffer.allocUnsafe(Math.min(this.#most, Math.max(length, 2 * this.#kept.length)));
      this.#kept.copy(larger, 0, 0, this.#length);
      this.#kept = larger;
    }
    this.#kept.set(chunk, this.#length);
    this.#length = length;
    this.#pieces.push({ at, upTo: length });
    if (this.#pieces.length >= MOST_PIECES) this.#pieces = this.#pieces.filter((_, i) => i % 2 === 1);
  }

  /** `whole`: only where something of it was not kept. */
  read(): Pick<Answer, 'body' | 'pieces' | 'whole'> {
    const kept = this.#kept.subarray(0, this.#length);
    if (this.#hash === undefined) return { body: this.#exactly(kept), pieces: this.#pieces };
    const body = this.#exactly(kept.subarray(0, wholeCharacters(kept)));
    const pieces = this.#pieces.map(({ at, upTo }) => ({ at, upTo: Math.min(upTo, body.length) }));
    return { body, pieces, whole: { bytes: this.size, sha256: this.#hash.copy().digest('hex') } };
  }

  /** Without the room that was made for more. */
  #exactly(bytes: Buffer): Buffer {
    return bytes.length * 2 > this.#kept.length ? bytes : Buffer.from(bytes);
  }
}

/** The length without a character of UTF-8 that is cut in the middle, so that text stays text. */
function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const first = bytes[start] ?? 0;
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start + width > bytes.length ? start : bytes.length;
}
