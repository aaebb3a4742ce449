import { pause } from './timers.ts';

/** The waits of one mock. They do not keep the process alive, and can all be ended at once. */
export class Delays {
  #ending = new AbortController();

  /** Resolves after so many milliseconds; undefined: there is nothing to wait for. */
  wait(ms: number): Promise<void> | undefined {
    if (ms <= 0) return undefined;
    return pause(ms, undefined, { ref: false, signal: this.#ending.signal }).catch(() => {});
  }

  /** Ends every wait now. */
  flush(): void {
    this.#ending.abort();
    this.#ending = new AbortController();
  }
}
