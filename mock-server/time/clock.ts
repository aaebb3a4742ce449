/** Milliseconds since 1970. */
export type Clock = () => number;

/**
 * The clock of a world. It runs, or stands still so that equal requests get equal bytes on any day. Recorded times
 * follow it; the time that a model takes does not.
 */
export class VirtualClock {
  /** Null: the clock runs. */
  #instant: number | null = null;
  /** Milliseconds ahead of the real time, while the clock runs. */
  #ahead = 0;
  #second = NaN;
  #date = '';

  constructor(start: string) {
    this.start(start);
  }

  /** `real`: it runs; an RFC 3339 instant: it stands still. */
  start(at: string): void {
    if (at === 'real') this.run();
    else this.freeze(Date.parse(at));
  }

  readonly now: Clock = () => this.#instant ?? Date.now() + this.#ahead;

  get state() {
    return { kind: this.#instant === null ? 'real' : 'frozen', now: this.now() } as const;
  }

  /** In milliseconds, whether it runs or stands still. */
  advance(ms: number): void {
    if (this.#instant === null) this.#ahead += ms;
    else this.#instant += ms;
  }

  /** Stops at an instant, by default at the current one. */
  freeze(at = this.now()): void {
    this.#instant = at;
  }

  /** Runs from the real time on. */
  run(): void {
    this.#instant = null;
    this.#ahead = 0;
  }

  /** The Date header (RFC 9110), formatted at most once a second. */
  date(): string {
    const second = Math.floor(this.now() / 1000);
    if (second !== this.#second) this.#date = new Date(second * 1000).toUTCString();
    this.#second = second;
    return this.#date;
  }
}
