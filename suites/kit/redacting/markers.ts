const [NUMBER, WHOLE, BEGINS] = [0x3f, 0x40, 0x80];

/** Where bytes hold secrets, one mark a byte: room for any number of matches. */
export class Markers {
  readonly #bytes: Uint8Array;
  readonly #names: readonly string[];
  #marks: Uint8Array | undefined;

  constructor(bytes: Uint8Array, names: readonly string[]) {
    this.#bytes = bytes;
    this.#names = names;
  }

  /** Marks the secret with this number in `[from, to)`; a whole one wins over parts. */
  add(name: number, from: number, to: number, isWhole: boolean): void {
    const marks = (this.#marks ??= new Uint8Array(this.#bytes.length));
    const mark = Math.min(name + 1, NUMBER) | (isWhole ? WHOLE : 0);
    for (let i = from; i < to; i += 1) if (isWhole || marks[i] === 0) marks[i] = mark;
    if (isWhole) marks[from] = mark | BEGINS;
  }

  /** `[key:primary]` in place of a key, `[part of key:primary]` in place of a part of one; the same bytes without marks. */
  written(): Uint8Array {
    const marks = this.#marks;
    if (marks === undefined) return this.#bytes;
    const pieces: Uint8Array[] = [];
    let at = 0;
    while (at < marks.length) {
      const mark = marks[at] ?? 0;
      const from = at;
      for (at += 1; at < marks.length && continues(mark, marks[at] ?? 0);) at += 1;
      pieces.push(mark === 0 ? this.#bytes.subarray(from, at) : this.#marker(mark));
    }
    return Buffer.concat(pieces);
  }

  #marker(mark: number): Uint8Array {
    const name = this.#names[(mark & NUMBER) - 1] ?? 'another';
    return Buffer.from((mark & WHOLE) === 0 ? `[part of key:${name}]` : `[key:${name}]`);
  }
}

function continues(first: number, next: number): boolean {
  if ((next & BEGINS) !== 0) return false;
  return (first & ~BEGINS) === next;
}
