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

/**
 * Delays of another kind: whatever waits goes on together, once nothing more has come for so many milliseconds. Of a
 * caller that has several requests under way all are seen to be, however busy the machine is.
 */
export class QuietPeriodBatcher extends Delays {
  readonly #quietMs: number;
  #waiting: (() => void)[] = [];
  #quiet: NodeJS.Timeout | undefined;

  constructor(quietMs: number) {
    super();
    this.#quietMs = quietMs;
  }

  /** How long it is to wait is of no account. */
  override after(_ms: number, run: () => void): void {
    this.#waiting.push(run);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.flush(), this.#quietMs).unref();
  }

  override flush(): void {
    clearTimeout(this.#quiet);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const run of waiting) run();
  }
}
