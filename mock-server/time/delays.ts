/** Waits of one mock. None keeps the process alive, and at the end none is left behind. */
export class Delays {
  readonly #waiting = new Map<NodeJS.Timeout, () => void>();

  /** Runs at once where there is nothing to wait for, else after so many milliseconds. */
  after(ms: number, run: () => void): void {
    if (ms <= 0) {
      run();
      return;
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      run();
    }, ms).unref();
    this.#waiting.set(timer, run);
  }

  /** Ends every wait now. */
  flush(): void {
    for (const [timer, run] of this.#waiting) {
      clearTimeout(timer);
      this.#waiting.delete(timer);
      run();
    }
  }
}
