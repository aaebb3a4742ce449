/** Turns of the event loop that bring nothing new before a wait ends. */
const QUIET_TURNS = 2;
/** A caller that never stops sending must not keep the others waiting. */
const MOST_TURNS = 64;

interface Wait {
  readonly run: () => void;
  /** Ends the timer, or what follows it. */
  cancel: () => void;
}

/**
 * The waits of one mock. They do not keep the process alive, and can all be ended at once. `failed` hears what a step
 * throws after its wait: no one else would catch it, and the other waits go on.
 */
export class Delays {
  readonly #failed: (error: unknown) => void;
  readonly #waiting = new Set<Wait>();
  #begun = 0;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Runs after so many milliseconds, or at once for 0. */
  after(ms: number, run: () => void): void {
    this.#wait(ms, run, 0);
  }

  /**
   * Like `after`, but no sooner than the requests have been read that came meanwhile: a process with no time to read
   * accepts one connection a turn, and would otherwise never have several requests under way.
   */
  afterArrivals(ms: number, run: () => void): void {
    this.#begun += 1;
    this.#wait(ms, run, QUIET_TURNS);
  }

  /** Like `after`, but no sooner than everything else that is ready has had its turn, for 0 too. */
  afterOthers(ms: number, run: () => void): void {
    if (ms > 0) return this.after(ms, run);
    const wait: Wait = { run, cancel: () => clearImmediate(turn) };
    const turn = setImmediate(() => this.#end(wait));
    this.#waiting.add(wait);
  }

  #wait(ms: number, run: () => void, quiet: number): void {
    if (ms <= 0) {
      run();
      return;
    }
    const timer = setTimeout(() => this.#endOnceQuiet(wait, quiet, MOST_TURNS), ms).unref();
    const wait: Wait = { run, cancel: () => clearTimeout(timer) };
    this.#waiting.add(wait);
  }

  #endOnceQuiet(wait: Wait, quiet: number, most: number): void {
    if (quiet === 0 || most === 0) return this.#end(wait);
    const begun = this.#begun;
    // Not unref'd: the loop would then sleep until something else wakes it.
    const turn = setImmediate(() =>
      this.#endOnceQuiet(wait, this.#begun === begun ? quiet - 1 : QUIET_TURNS, most - 1),
    );
    wait.cancel = () => clearImmediate(turn);
  }

  #end(wait: Wait): void {
    this.#waiting.delete(wait);
    this.goOn(wait.run);
  }

  /** Ends every wait now. */
  flush(): void {
    for (const wait of this.#waiting) {
      wait.cancel();
      this.#end(wait);
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
  override afterArrivals(_ms: number, run: () => void): void {
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
