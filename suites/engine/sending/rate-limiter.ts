import { setTimeout as wait } from 'node:timers/promises';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Answer, Exchange, Outcome } from '../model/exchange.ts';
import type { Pace, RunOptions } from '../model/run.ts';
import { isSuccess, isUnavailable } from '../reading/answers.ts';
import { isErrorBody } from '../reading/errors/disposition.ts';
import { readJson } from '../reading/json.ts';
import { askedWaitMs } from './asked-wait.ts';
import type { Halt } from './halt.ts';

const MOST_ATTEMPTS = 5;

/** The timeout of the tested configuration: no wait is longer (CALL-6). */
const LONGEST_WAIT_MS = 120_000;

const DEFAULT_WAIT_MS = 500;

const NOTED_WAIT_MS = 1000;

/** How fast a run sends: less concurrently after a rate limit error, nothing while the target asks to wait (CALL-1). */
export class RateLimiter {
  readonly #limiter: ConcurrencyLimiter;
  readonly #signal: RunOptions['signal'];
  readonly #halt: Halt;
  readonly #pacemaker: Pacemaker;
  readonly #onWait: ((ms: number) => void) | undefined;
  /** Nothing is sent before this time: a rate limit error applies to all requests. */
  #resumeAt = 0;

  /** `onWait`: called when the target asks to wait for a second or more, once for all the requests that it tells so. */
  constructor(
    { concurrency, signal, pace }: Pick<RunOptions, 'concurrency' | 'signal' | 'pace'>,
    halt: Halt,
    onWait?: (ms: number) => void,
  ) {
    this.#limiter = new ConcurrencyLimiter(concurrency);
    this.#signal = signal;
    this.#halt = halt;
    this.#pacemaker = new Pacemaker(pace);
    this.#onWait = onWait;
  }

  /** Sends as soon as it may. */
  async send<T>(send: () => Promise<T>): Promise<T> {
    const acquired = this.#limiter.acquire();
    if (acquired !== undefined) await acquired;
    try {
      await this.resumed();
      return await send();
    } finally {
      this.#limiter.release();
    }
  }

  /** Resolves once the target no longer asks to wait, or the run is interrupted. */
  async resumed(): Promise<void> {
    await this.#until((now) => this.#resumeAt - now);
  }

  /** Resolves once a request may leave: the target asks for no wait, and the pace has a place for it. */
  async cleared(): Promise<void> {
    await this.#until((now) => Math.max(this.#resumeAt - now, this.#pacemaker.leftMs(now)));
    this.noteLeft();
  }

  /** A request leaves, whether or not it was cleared. */
  noteLeft(): void {
    this.#pacemaker.take(performance.now());
  }

  async #until(leftAt: (now: number) => number): Promise<void> {
    for (;;) {
      const leftMs = leftAt(performance.now());
      if (leftMs <= 0 || this.#signal?.aborted === true) return;
      await wait(leftMs, undefined, { ...(this.#signal && { signal: this.#signal }) }).catch(() => {});
    }
  }

  /** The outcome was no rate limit error. */
  noteAdmitted({ outcome }: Exchange): void {
    if (outcome.kind === 'uncertain')
      return this.#postpone(outcome.answer === undefined ? 0 : (askedWaitMs(outcome.answer) ?? 0));
    this.#limiter.increase();
    if (outcome.kind === 'answered') this.#halt.noteAnswered();
  }

  /** The outcome was a rate limit error: all wait as long as it asks. Returns whether the request is sent again. */
  noteRateLimited({ outcome }: Exchange, attempt: number): boolean {
    this.#limiter.decrease();
    const wantedMs = outcome.kind === 'answered' ? (askedWaitMs(outcome.answer) ?? DEFAULT_WAIT_MS) : 0;
    this.#postpone(wantedMs);
    if (wantedMs > LONGEST_WAIT_MS) return false;
    if (attempt === MOST_ATTEMPTS) {
      this.#halt.noteRateLimited();
      return false;
    }
    return true;
  }

  #postpone(wantedMs: number): void {
    if (wantedMs > LONGEST_WAIT_MS) return this.#halt.noteLongWait(wantedMs);
    const now = performance.now();
    const longerMs = now + wantedMs - Math.max(this.#resumeAt, now);
    if (longerMs >= NOTED_WAIT_MS) this.#onWait?.(wantedMs);
    this.#resumeAt = Math.max(this.#resumeAt, now + wantedMs);
  }
}

/**
 * Limits how many requests are in flight. A rate limit error halves the limit. A full round of answers raises it by
 * one, or twice as many rounds after each further error: concurrency falls immediately, recovers slowly, and
 * settles at what the target accepts (CALL-1).
 */
export class ConcurrencyLimiter {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #active = 0;
  /** Full rounds of answers that raise the limit by one. */
  #rounds = 0.5;

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  /** Undefined: acquired immediately. Every `acquire` is followed by one `release`. */
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
    this.#limit = Math.min(this.#most, this.#limit + 1 / (this.#limit * this.#rounds));
  }
}

/** Spaces requests evenly over a window of time. */
export class Pacemaker {
  readonly #intervalMs: number;
  readonly #windowMs: number;
  #freeAt = -Infinity;

  /** Without a pace every request may leave at once. */
  constructor(pace: Pace | undefined) {
    this.#intervalMs = pace === undefined ? 0 : pace.perMs / pace.requests;
    this.#windowMs = pace?.perMs ?? 0;
  }

  /** Milliseconds until the next request may leave; 0: it may leave now, and `take` says that it does. */
  leftMs(now: number): number {
    return Math.max(0, this.#freeAt - now);
  }

  /** A request leaves. One that did not ask counts too: those after it wait the longer, at most for one window. */
  take(now: number): void {
    const from = Math.max(now, this.#freeAt);
    this.#freeAt = Math.min(from + this.#intervalMs, now + this.#windowMs);
  }
}

/** The milliseconds that requests take at a pace. */
export function durationAt({ requests, perMs }: Pace, count: number): number {
  return (count * perMs) / requests;
}

const WORDS =
  /rate[\s_-]?limit|throttl(?:ed|ing)|slow[\s_-]?down|too[\s_-]?many[\s_-]?(?:concurrent[\s_-]?)?requests|concurrency[\s_-]?limit/i;

/** These statuses may ask to wait for another reason: a key still in flight, and a body too large for now (RFC 9110). */
const WAIT_FOR_OTHER_REASONS: ReadonlySet<number> = new Set([409, 413]);

/** Whether an outcome is a rate limit error, by its status, its Retry-After or its error object. */
export function isRateLimited(outcome: Outcome): boolean {
  if (outcome.kind !== 'answered') return false;
  const { status, headers, body } = outcome.answer;
  if (status === 429) return true;
  const asksToWait = headers[HEADERS.retryAfter] !== undefined && !WAIT_FOR_OTHER_REASONS.has(status);
  if (((status >= 400 && status < 500) || isUnavailable(outcome.answer)) && asksToWait) return true;
  if (isSuccess(outcome.answer)) return asksToWait && holdsError(outcome.answer);
  return status >= 400 && status < 500 && WORDS.test(Buffer.from(body.subarray(0, 1000)).toString('latin1'));
}

/** Statuses are an open point (ERR-9): an error may come with one of success. */
function holdsError(answer: Answer): boolean {
  const body = readJson(answer);
  return body.kind === 'json' && isErrorBody(body.value);
}
