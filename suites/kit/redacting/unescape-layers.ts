import { type Dialect, Meaning, USUAL } from './escapes.ts';
import { RARE } from './rare-escapes.ts';

/** A reading of some bytes, and where each of its bytes was in the original. */
export interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Where `[from, to)` begins in the original. */
  readonly start: (from: number) => number;
  /** Where `[from, to)` ends in the original. */
  readonly end: (to: number) => number;
}

/** The escapes that one pass has undone: only these are written down, since most bytes just move. */
class UndoneEscapes {
  count = 0;
  /** Where what an escape stands for was written. */
  readonly #at: Uint32Array;
  readonly #widths: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  /** The escape at which the last question ended: a search asks from the front to the back. */
  #nth = -1;

  constructor(size: number) {
    this.#at = new Uint32Array(size);
    this.#widths = new Uint8Array(size);
    this.#starts = new Uint32Array(size);
    this.#ends = new Uint32Array(size);
  }

  clear(): void {
    this.count = 0;
    this.#nth = -1;
  }

  add(at: number, width: number, start: number, end: number): void {
    const { count } = this;
    this.#at[count] = at;
    this.#widths[count] = width;
    this.#starts[count] = start;
    this.#ends[count] = end;
    this.count = count + 1;
  }

  /** Where the byte at `at` began before the pass. */
  startOf(at: number): number {
    const nth = this.#before(at);
    return this.#stands(nth, at) ? (this.#starts[nth] ?? 0) : this.#moved(nth, at);
  }

  /** Where the byte at `at` ended before the pass. */
  endOf(at: number): number {
    const nth = this.#before(at);
    return this.#stands(nth, at) ? (this.#ends[nth] ?? 0) : this.#moved(nth, at) + 1;
  }

  /** The last escape that was written at `at` or before; -1 when there is none. */
  #before(at: number): number {
    let nth = this.#nth;
    while (nth + 1 < this.count && (this.#at[nth + 1] ?? 0) <= at) nth += 1;
    while (nth >= 0 && (this.#at[nth] ?? 0) > at) nth -= 1;
    this.#nth = nth;
    return nth;
  }

  /** Whether the byte at `at` is of what the escape stands for. */
  #stands(nth: number, at: number): boolean {
    return nth >= 0 && at < (this.#at[nth] ?? 0) + (this.#widths[nth] ?? 0);
  }

  #moved(nth: number, at: number): number {
    return nth < 0 ? at : (this.#ends[nth] ?? 0) + at - (this.#at[nth] ?? 0) - (this.#widths[nth] ?? 0);
  }
}

/** Escapes of escapes of escapes: no honest service goes further. */
const MOST_LAYERS = 3;

/** Bytes of which layer after layer of escapes is undone in place: what an escape stands for is never longer. */
class UnescapedBytes implements ReadBytes {
  readonly bytes: Uint8Array;
  length = 0;
  readonly #passes: readonly UndoneEscapes[];
  readonly #meaning = new Meaning();
  #done = 0;
  #from = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#passes = Array.from({ length: MOST_LAYERS }, () => new UndoneEscapes(size));
  }

  /** Begins again, with nothing undone, at `[from, to)` of the original. */
  reset(original: Uint8Array, from: number, to: number): void {
    this.bytes.set(original.subarray(from, to));
    this.length = to - from;
    this.#from = from;
    this.#done = 0;
  }

  start(from: number): number {
    let at = from;
    for (let nth = this.#done - 1; nth >= 0; nth -= 1) at = this.#passes[nth]?.startOf(at) ?? at;
    return this.#from + at;
  }

  end(to: number): number {
    let at = to;
    for (let nth = this.#done - 1; nth >= 0; nth -= 1) at = this.#passes[nth]?.endOf(at - 1) ?? at;
    return this.#from + at;
  }

  /** Undoes one layer of escapes. Whether there was any. */
  undo({ begins, read }: Dialect): boolean {
    const pass = this.#passes[this.#done];
    if (pass === undefined) return false;
    pass.clear();
    const { bytes, length } = this;
    const meaning = this.#meaning;
    let previous = -1;
    let to = 0;
    for (let at = 0; at < length;) {
      const byte = bytes[at] ?? 0;
      const width = begins[byte] === 0 ? 0 : read(bytes, at, length, previous, meaning);
      if (width === 0) {
        bytes[to++] = byte;
        previous = byte;
        at += 1;
        continue;
      }
      pass.add(to, meaning.count, at, at + width);
      for (let i = 0; i < meaning.count; i += 1) bytes[to++] = meaning.bytes[i] ?? 0;
      previous = meaning.last;
      at += width;
    }
    this.length = to;
    this.#done += 1;
    return pass.count > 0;
  }
}

const unchanged = (at: number): number => at;

/** One for all: a reading is used up before the next one is made. */
let scratch = new UnescapedBytes(0);

/**
 * Every reading of some bytes: as they are, with layers of usual escapes undone, and wherever a rare dialect may be, in that
 * one. A reading is good until the next one is asked for.
 */
export function* unescapeLayers(original: Uint8Array): Generator<ReadBytes> {
  yield { bytes: original, length: original.length, start: unchanged, end: unchanged };
  const latin1 = Buffer.from(original.buffer, original.byteOffset, original.length).toString('latin1');
  for (const dialect of [USUAL, ...RARE]) {
    for (const [from, to] of dialect.places(latin1)) {
      if (scratch.bytes.length < original.length) scratch = new UnescapedBytes(original.length);
      scratch.reset(original, from, to);
      const most = dialect === USUAL ? MOST_LAYERS : 1;
      for (let layer = 0; layer < most && scratch.undo(dialect); layer += 1) yield scratch;
    }
  }
}
