import { clearTimeout, setTimeout } from './timers.ts';

/** The waits of one mock. They do not keep the process alive, and can all be ended at once. */
export class Delays {
  readonly #ends = new Set<() => void>();

  /** Resolves after so many milliseconds; undefined: there is nothing to wait for. */
  wait(ms: number): Promise<void> | undefined {
    if (ms <= 0) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => {
      clearTimeout(timer);
      this.#ends.delete(end);
      resolve();
    };
    const timer = setTimeout(end, ms).unref();
    this.#ends.add(end);
    return promise;
  }

  /** Ends every wait now. */
  flush(): void {
    for (const end of this.#ends) end();
  }
}
