import { createHash, type Hash } from 'node:crypto';
import type { Answer, Piece } from '../model/exchange.ts';

/** More than this of a body is counted and hashed, and not kept: a whole answer is far smaller. */
const KEPT_BYTES = 2 * 1024 * 1024;

/**
 * One part in so many bytes, where a part is a line, or an item of an array or object, is denser than any honest answer of
 * the largest size: reading a million tiny ones would hold up the run. What follows is not kept either.
 */
const BYTES_A_PART = 32;

const BEGINS_PART = new Uint8Array(256);
for (const byte of Buffer.from('\n\r{[,')) BEGINS_PART[byte] = 1;

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

  constructor(most = KEPT_BYTES) {
    this.#most = most;
  }

  add(chunk: Uint8Array, at: number): void {
    this.size += chunk.length;
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
    const whole = this.#kept.subarray(0, this.#length);
    const length = readableLength(whole, Math.ceil(this.#most / BYTES_A_PART));
    if (this.#hash === undefined && length === whole.length)
      return { body: this.#exactly(whole), pieces: this.#pieces };
    const hash = this.#hash?.copy() ?? createHash('sha256').update(whole);
    const body = this.#exactly(whole.subarray(0, wholeCharacters(whole.subarray(0, length))));
    const pieces = this.#pieces.map(({ at, upTo }) => ({ at, upTo: Math.min(upTo, body.length) }));
    return { body, pieces, whole: { bytes: this.size, sha256: hash.digest('hex') } };
  }

  /** Without the room that was made for more. */
  #exactly(bytes: Buffer): Buffer {
    return bytes.length * 2 > this.#kept.length ? bytes : Buffer.from(bytes);
  }
}

/** The length of the beginning that has no more parts than these. */
function readableLength(bytes: Uint8Array, most: number): number {
  if (bytes.length <= most) return bytes.length;
  let parts = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    parts += BEGINS_PART[bytes[at] ?? 0] ?? 0;
    if (parts > most) return at;
  }
  return bytes.length;
}

/** The length without a character of UTF-8 that is cut in the middle, so that text stays text. */
function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const first = bytes[start] ?? 0;
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start + width > bytes.length ? start : bytes.length;
}
