import { type Dialect, Meaning, USUAL } from './escapes.ts';
import { RARE } from './rare-escapes.ts';

/** Bytes of which some escapes are undone, and where each of them was in the original. */
export class UnescapedBytes {
  readonly bytes: Uint8Array;
  length: number;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #meaning = new Meaning();

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#starts = new Uint32Array(size);
    this.#ends = new Uint32Array(size);
    this.length = size;
  }

  /** Begins again, with nothing undone. */
  reset(original: Uint8Array): void {
    this.bytes.set(original);
    this.length = original.length;
    for (let i = 0; i < original.length; i += 1) {
      this.#starts[i] = i;
      this.#ends[i] = i + 1;
    }
  }

  /** Where `[from, to)` begins in the original. */
  start(from: number): number {
    return this.#starts[from] ?? 0;
  }

  /** Where `[from, to)` ends in the original. */
  end(to: number): number {
    return this.#ends[to - 1] ?? 0;
  }

  /** Undoes one layer of escapes in place: what an escape stands for is never longer. Whether there was any. */
  undo({ begins, read }: Dialect): boolean {
    const { bytes, length } = this;
    const meaning = this.#meaning;
    let previous = -1;
    let to = 0;
    for (let at = 0; at < length;) {
      const byte = bytes[at] ?? 0;
      const width = begins[byte] === 1 ? read(bytes, at, length, previous, meaning) : 0;
      if (width === 0) this.#move(at, to++);
      else to = this.#write(meaning, to, at, width);
      previous = width === 0 ? byte : meaning.last;
      at += Math.max(1, width);
    }
    const hadAny = to < length;
    this.length = to;
    return hadAny;
  }

  #move(at: number, to: number): void {
    if (at === to) return;
    this.bytes[to] = this.bytes[at] ?? 0;
    this.#starts[to] = this.#starts[at] ?? 0;
    this.#ends[to] = this.#ends[at] ?? 0;
  }

  #write({ bytes, count }: Meaning, to: number, at: number, width: number): number {
    const [start, end] = [this.#starts[at] ?? 0, this.#ends[at + width - 1] ?? 0];
    for (let i = 0; i < count; i += 1) {
      this.bytes[to + i] = bytes[i] ?? 0;
      this.#starts[to + i] = start;
      this.#ends[to + i] = end;
    }
    return to + count;
  }
}

/** Escapes of escapes of escapes: no honest service goes further. */
const MOST_LAYERS = 3;

/** A reading of some bytes, and where each of its bytes was in the original. */
export type ReadBytes = Pick<UnescapedBytes, 'bytes' | 'length' | 'start' | 'end'>;

const unchanged = (at: number): number => at;

/** Every reading of some bytes: as they are, with layers of usual escapes undone, and in each rare dialect. */
export function* unescapeLayers(original: Uint8Array): Generator<ReadBytes> {
  yield { bytes: original, length: original.length, start: unchanged, end: unchanged };
  const latin1 = Buffer.from(original.buffer, original.byteOffset, original.length).toString('latin1');
  const dialects = [USUAL, ...RARE].filter(({ mayOccur }) => mayOccur(latin1));
  if (dialects.length === 0) return;
  const view = new UnescapedBytes(original.length);
  for (const dialect of dialects) {
    view.reset(original);
    const most = dialect === USUAL ? MOST_LAYERS : 1;
    for (let layer = 0; layer < most && view.undo(dialect); layer += 1) yield view;
  }
}
