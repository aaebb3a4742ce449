import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import { askedWaitMs, isRateLimited } from './rate-limit-error.ts';

const MOST_ATTEMPTS = 5;

/** The timeout of the tested configuration: no wait is longer (CALL-6). */
const LONGEST_WAIT_MS = 120_000;

const DEFAULT_WAIT_MS = 500;

const NOTED_WAIT_MS = 1000;

const IN_A_ROW = 3;

/**
 * How fast a run sends (CALL-1): at its pace, not while the target asks to wait, and with so many requests in flight. A
 * rate limit error halves their number; a full round of answers raises it by one, or twice as many rounds after each
 * further error. So it falls immediately, recovers slowly, and settles at what the target accepts.
 */
export class RateLimiter {
  readonly #options: Pick<RunOptions, 'concurrency' | 'signal' | 'pace' | 'onWait'>;
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #freed = Promise.withResolvers<void>();
  #limit: number;
  /** Full rounds of answers that raise the limit by one. */
  #rounds = 0.5;
  /** Nothing is sent before this time: a rate limit error applies to all requests. */
  #resumeAt = 0;
  /** When the pace has a place for the next request. */
  #freeAt = 0;
  /** Requests in a row with nothing but rate limit errors. */
  #givenUp = 0;
  #longWait: string | undefined;

  /** `onWait` is called once for all the requests that are told to wait. */
  constructor(options: Pick<RunOptions, 'concurrency' | 'signal' | 'pace' | 'onWait'>) {
    this.#options = options;
    this.#limit = options.concurrency;
  }

  /** Why nothing more is sent at all; undefined while requests are sent. */
  get ended(): string | undefined {
    if (this.#longWait !== undefined || this.#givenUp < IN_A_ROW) return this.#longWait;
    return `${IN_A_ROW} requests in a row got nothing but rate limit errors`;
  }

  /** Whether the next request has a place at once. */
  get hasPlace(): boolean {
    return this.#active < Math.floor(this.#limit);
  }

  /** Resolves once a request has given its place back. */
  get freed(): Promise<void> {
    return this.#freed.promise;
  }

  async send<T>(send: () => Promise<T>): Promise<T> {
    if (this.hasPlace) this.#active += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await this.#until(() => this.#resumeAt);
      return await send();
    } finally {
      this.#active -= 1;
      for (; this.#waiting.length > 0 && this.hasPlace; this.#active += 1) this.#waiting.shift()?.();
      this.#freed.resolve();
      this.#freed = Promise.withResolvers();
    }
  }

  /** Resolves once a request may leave: the target asks for no wait, and the pace has a place for it. */
  async cleared(): Promise<void> {
    await this.#until(
      () => Math.max(this.#resumeAt, this.#freeAt),
      () => this.noteLeft(),
    );
  }

  /** A request leaves. One that was not cleared counts too: those after it wait the longer, at most for one window. */
  noteLeft(): void {
    const { requests, perMs } = this.#options.pace ?? { requests: 1, perMs: 0 };
    const now = performance.now();
    this.#freeAt = Math.min(Math.max(now, this.#freeAt) + perMs / requests, now + perMs);
  }

  /** Waits until then, or until the run is interrupted, and does what is to be done in the same turn. */
  async #until(time: () => number, then = () => {}): Promise<void> {
    const { signal } = this.#options;
    for (;;) {
      const leftMs = time() - performance.now();
      if (leftMs <= 0 || signal?.aborted === true) return then();
      await wait(leftMs, undefined, { ...(signal && { signal }) }).catch(() => {});
    }
  }

  /** Whether the request of this exchange is sent again: after a rate limit error all wait as long as it asks. */
  note({ outcome }: Exchange, attempt: number): boolean {
    const askedMs = outcome.kind === 'not-sent' || !outcome.answer ? undefined : askedWaitMs(outcome.answer);
    if (!isRateLimited(outcome)) {
      if (outcome.kind === 'uncertain') this.#postpone(askedMs ?? 0);
      else this.#limit = Math.min(this.#options.concurrency, this.#limit + 1 / (this.#limit * this.#rounds));
      if (outcome.kind === 'answered') this.#givenUp = 0;
      return false;
    }
    this.#limit = Math.max(1, this.#limit / 2);
    this.#rounds *= 2;
    const wantedMs = askedMs ?? DEFAULT_WAIT_MS;
    this.#postpone(wantedMs);
    if (wantedMs > LONGEST_WAIT_MS) return false;
    if (attempt < MOST_ATTEMPTS) return true;
    this.#givenUp += 1;
    return false;
  }

  #postpone(wantedMs: number): void {
    if (wantedMs > LONGEST_WAIT_MS) {
      const seconds = Math.ceil(wantedMs / 1000);
      this.#longWait ??= `the target asks to wait ${seconds} s before anything more is sent`;
      return;
    }
    const now = performance.now();
    const longerMs = now + wantedMs - Math.max(this.#resumeAt, now);
    if (longerMs >= NOTED_WAIT_MS) this.#options.onWait?.(wantedMs);
    this.#resumeAt = Math.max(this.#resumeAt, now + wantedMs);
  }
}
