/**
 * Lets so many requests be under way at once. After a rate limit error it narrows to half, and widens again by
 * one for a full round of answers, or for twice as many rounds each time it had to narrow: concurrency goes down at
 * once, comes back slowly, and settles where the target bears it (CALL-1).
 */
export class ConcurrencyLimiter {
  readonly #widest: number;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #active = 0;
  /** Full rounds of answers before it is wider by one. */
  #rounds = 0.5;

  constructor(widest: number) {
    this.#widest = widest;
    this.#limit = widest;
  }

  /** Resolves when the caller may send; every `enter` is followed by one `leave`. */
  acquire(): Promise<void> | undefined {
    if (this.#active < Math.floor(this.#limit)) {
      this.#active += 1;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    this.#active -= 1;
    while (this.#active < Math.floor(this.#limit)) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#active += 1;
      next();
    }
  }

  decrease(): void {
    this.#limit = Math.max(1, this.#limit / 2);
    this.#rounds *= 2;
  }

  increase(): void {
    this.#limit = Math.min(this.#widest, this.#limit + 1 / (this.#limit * this.#rounds));
  }
}
