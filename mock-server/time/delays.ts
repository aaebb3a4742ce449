/** The waits of one mock. They do not keep the process alive, and can all be ended at once. */
export class Delays {
  readonly #ends = new Set<() => void>();

  /** Resolves after so many milliseconds; undefined: there is nothing to wait for. */
  wait(ms: number): Promise<void> | undefined {
    if (ms <= 0) return undefined;
    return this.#until((end) => {
      const timer = setTimeout(end, ms).unref();
      return () => clearTimeout(timer);
    });
  }

  /** Like `wait`, but no sooner than everything else that is ready has had its turn, for 0 too. */
  turn(ms: number): Promise<void> {
    return (
      this.wait(ms) ??
      this.#until((end) => {
        const turn = setImmediate(end);
        return () => clearImmediate(turn);
      })
    );
  }

  /** Ends every wait now. */
  flush(): void {
    for (const end of this.#ends) end();
  }

  #until(begin: (end: () => void) => () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => {
      cancel();
      this.#ends.delete(end);
      resolve();
    };
    const cancel = begin(end);
    this.#ends.add(end);
    return promise;
  }
}
