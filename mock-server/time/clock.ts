import type { ClockChoice } from '../world/world.ts';

/** Milliseconds since 1970. */
export type Clock = () => number;

export interface ClockState {
  readonly kind: 'real' | 'frozen';
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The clock of a world: it runs, or stands still so that equal requests get equal bytes on any day, and it can be
 * put forward. What is written with a time follows it; how long a model takes does not.
 */
export class VirtualClock {
  /** Null: it runs. */
  #instant: number | null;
  /** Milliseconds ahead of the real time, while it runs. */
  #ahead = 0;

  constructor(choice: ClockChoice) {
    this.#instant = choice.kind === 'real' ? null : Date.parse(choice.at);
  }

  readonly now: Clock = () => this.#instant ?? Date.now() + this.#ahead;

  get state(): ClockState {
    return { kind: this.#instant === null ? 'real' : 'frozen', now: this.now() };
  }

  /** Puts it forward by so many milliseconds, running or not. */
  advance(ms: number): void {
    if (this.#instant === null) this.#ahead += ms;
    else this.#instant += ms;
  }

  /** Stops it, at an instant or where it is. */
  freeze(at = this.now()): void {
    this.#instant = at;
  }

  /** Lets it run, from the real time. */
  run(): void {
    this.#instant = null;
    this.#ahead = 0;
  }
}

/** The Date header (RFC 9110), made anew once a second at most. */
export function createDateHeader(clock: Clock): () => string {
  let second = NaN;
  let text = '';
  return () => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}
