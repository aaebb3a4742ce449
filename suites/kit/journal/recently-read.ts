import type { WrittenEntry, WrittenLine } from '../model/journal.ts';

const MOST_BYTES = 12 * 1024 * 1024;

/** What each takes beside its body: headers, times, names. */
const LEAST_BYTES = 2048;

/** What stood in the lines that were read last, up to a bound: a reader asks for one thing of a line after the other. */
export class RecentlyRead<T extends { readonly body?: Uint8Array | undefined }> {
  readonly #from: (written: WrittenEntry) => T;
  readonly #most: number;
  /** The one that was asked for last at the end. */
  readonly #held = new Map<WrittenLine, T>();
  #size = 0;

  constructor(from: (written: WrittenEntry) => T, mostBytes = MOST_BYTES) {
    this.#from = from;
    this.#most = mostBytes;
  }

  get(line: WrittenLine): T {
    const value = this.#held.get(line) ?? this.#from(line.read());
    if (!this.#held.delete(line)) this.#size += sizeOf(value);
    this.#held.set(line, value);
    this.#letGo();
    return value;
  }

  /** But for the latest, however large. */
  #letGo(): void {
    for (const [line, value] of this.#held) {
      if (this.#size <= this.#most || this.#held.size === 1) return;
      this.#held.delete(line);
      this.#size -= sizeOf(value);
    }
  }
}

function sizeOf({ body }: { readonly body?: Uint8Array | undefined }): number {
  return LEAST_BYTES + (body?.length ?? 0);
}
