/**
 * A map that forgets the oldest keys: it holds at least the last `capacity` keys, and at most twice as many. Has two
 * generations, because deleting the first key of a Map again and again slows down every access to its start.
 */
export class BoundedMap<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Returns the generation that was forgotten to make room, if one was. */
  set(key: string, value: Value): ReadonlyMap<string, Value> | undefined {
    this.#young.set(key, value);
    if (this.#young.size < this.#capacity) return undefined;
    const forgotten = this.#old;
    this.#old = this.#young;
    this.#young = new Map();
    return forgotten;
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
