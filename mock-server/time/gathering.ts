import { Delays } from './delays.ts';

/**
 * Delays of another kind: whatever waits goes on together, once nothing more has come for so many milliseconds. Of a
 * caller that has several requests under way all are seen to be, however busy the machine is.
 */
export class Gathering extends Delays {
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
