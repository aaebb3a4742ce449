/**
 * The waits of one mock. They do not keep the process alive, and can all be ended at once. `failed` hears what a step
 * throws after its wait: no one else would catch it, and the other waits go on.
 */
export class Delays {
  readonly #failed: (error: unknown) => void;
  readonly #waiting = new Map<NodeJS.Timeout, () => void>();

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Runs after so many milliseconds, or at once for 0. */
  after(ms: number, run: () => void): void {
    if (ms <= 0) {
      run();
      return;
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      this.goOn(run);
    }, ms).unref();
    this.#waiting.set(timer, run);
  }

  /** Ends every wait now. */
  flush(): void {
    for (const [timer, run] of this.#waiting) {
      clearTimeout(timer);
      this.#waiting.delete(timer);
      this.goOn(run);
    }
  }

  protected goOn(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#failed(error);
    }
  }
}

/** Quiet is counted in so many steps, with a look at what has arrived between two: a process that was held up heard nothing. */
const QUIET_STEPS = 5;

/**
 * Delays that all end together, once no further one has begun for so many milliseconds. So concurrent requests of a
 * caller overlap, however busy the machine is. Those with precedence end alone, and the others wait for quiet again: a
 * request that arrives in between was sent by a caller that could know of nothing else.
 */
export class QuietPeriodBatcher extends Delays {
  readonly #quietMs: number;
  #waiting: (() => void)[] = [];
  #preceding: (() => void)[] = [];
  /** A caller that never stops sending what is refused must not keep the others waiting. */
  #hadPrecedence = false;
  #quiet: NodeJS.Timeout | undefined;

  constructor(quietMs: number, failed: (error: unknown) => void) {
    super(failed);
    this.#quietMs = quietMs;
  }

  /** Ignores the milliseconds. */
  override after(_ms: number, run: () => void): void {
    this.#waiting.push(run);
    this.#waitForQuiet();
  }

  /** Runs before all that waits now. */
  before(run: () => void): void {
    this.#preceding.push(run);
    this.#waitForQuiet();
  }

  #waitForQuiet(steps = QUIET_STEPS): void {
    clearTimeout(this.#quiet);
    const next = steps > 1 ? () => this.#waitForQuiet(steps - 1) : () => this.#release();
    this.#quiet = setTimeout(next, this.#quietMs / QUIET_STEPS).unref();
  }

  #release(): void {
    if (this.#preceding.length === 0 || (this.#hadPrecedence && this.#waiting.length > 0))
      return this.flush();
    const preceding = this.#preceding;
    this.#preceding = [];
    this.#hadPrecedence = this.#waiting.length > 0;
    if (this.#waiting.length > 0) this.#waitForQuiet();
    for (const run of preceding) this.goOn(run);
  }

  override flush(): void {
    clearTimeout(this.#quiet);
    const waiting = [...this.#preceding, ...this.#waiting];
    this.#preceding = [];
    this.#waiting = [];
    this.#hadPrecedence = false;
    for (const run of waiting) this.goOn(run);
  }
}
