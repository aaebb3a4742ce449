import timers from 'node:timers';
import promised from 'node:timers/promises';

/** Node's own timers, as they were when this was loaded: tests of a client replace the global ones, and those of Node's modules. */
export const { setTimeout, clearTimeout, setImmediate } = timers;

/** Resolves in the next turn of the event loop. */
export const nextTurn = promised.setImmediate;

/** Yields every so many milliseconds. */
export const everyMs = promised.setInterval;

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
