/** What was made of bodies of so many bytes is remembered at a time, by each reader. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What each takes beside its body. */
const LEAST_BYTES = 256;

/**
 * What was made of some objects, for a while: what a run makes of thousands of large answers would not fit in memory. Beyond
 * a bound everything is forgotten, and made again when it is asked for.
 */
export class Remembered<K extends object, V> {
  #values = new WeakMap<K, { readonly value: V }>();
  #bytes = 0;

  /** `bytes`: of the body that is read for it. */
  get(key: K, make: () => V, bytes: (key: K) => number): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known.value;
    const value = make();
    this.#bytes += LEAST_BYTES + bytes(key);
    if (this.#bytes > MOST_BYTES) {
      this.#values = new WeakMap();
      this.#bytes = LEAST_BYTES + bytes(key);
    }
    this.#values.set(key, { value });
    return value;
  }
}
