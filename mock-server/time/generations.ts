/** When values are forgotten. */
export interface Retention {
  /** Milliseconds for which every value is kept, and at most twice as long. */
  readonly ms: number;
  /** Values kept at least, and at most twice as many, even if their time is not over; null: only time counts. */
  readonly capacity: number | null;
}

/**
 * A map that forgets its oldest values together. Has two generations, because deleting the first key of a Map again and
 * again slows down every access to its start.
 */
export class Generations<Value> {
  readonly #retention: Retention;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #youngSince = -Infinity;

  constructor(retention: Retention) {
    this.#retention = retention;
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Takes the time of the clock. Returns the values that were forgotten to make room. */
  set(key: string, value: Value, now: number): ReadonlyMap<string, Value> {
    if (this.#young.size === 0) this.#youngSince = now;
    const forgotten = this.#isGrownUp(now) ? this.#grow(now) : NONE;
    this.#young.set(key, value);
    return forgotten;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #isGrownUp(now: number): boolean {
    const { ms, capacity } = this.#retention;
    return now - this.#youngSince > ms || (capacity !== null && this.#young.size >= capacity);
  }

  #grow(now: number): ReadonlyMap<string, Value> {
    const forgotten = this.#old;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngSince = now;
    return forgotten;
  }
}

const NONE = new Map<string, never>();
