import type { Exchange } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import { ConcurrencyLimiter } from './gate.ts';
import type { Halt } from './halt.ts';
import { pause } from './pause.ts';
import { retryAfterMs } from './rate-limited.ts';

const TRIES = 5;

/** The timeout of the tested configuration: nothing is waited for longer (CALL-6). */
const LONGEST_WAIT_MS = 120_000;

/** How fast a run sends: fewer at once after a rate limit error, nothing while the target asks to wait (CALL-1). */
export class RateLimiter {
  readonly #gate: ConcurrencyLimiter;
  readonly #signal: RunOptions['signal'];
  readonly #halt: Halt;
  readonly #mostResends: number;
  #resends = 0;
  /** Until then nobody sends: a rate limit error asks all to wait, not only the request it refused. */
  #resumeAt = 0;

  /** `mostResends`: how often requests go out again after a rate limit error, all together. */
  constructor(
    { concurrency, signal }: Pick<RunOptions, 'concurrency' | 'signal'>,
    halt: Halt,
    mostResends: number,
  ) {
    this.#gate = new ConcurrencyLimiter(concurrency);
    this.#signal = signal;
    this.#halt = halt;
    this.#mostResends = mostResends;
  }

  /** Sends once it may. */
  async send<T>(send: () => Promise<T>): Promise<T> {
    const entrance = this.#gate.acquire();
    if (entrance !== undefined) await entrance;
    try {
      await this.resumed();
      return await send();
    } finally {
      this.#gate.release();
    }
  }

  /** Resolves once nobody is asked to wait any more; meanwhile others may be. */
  async resumed(): Promise<void> {
    while (performance.now() < this.#resumeAt && this.#signal?.aborted !== true)
      await pause(this.#resumeAt - performance.now(), this.#signal);
  }

  /** What came was no rate limit error. */
  letThrough({ outcome }: Exchange): void {
    if (outcome.kind === 'uncertain')
      return this.#heed(outcome.answer === undefined ? 0 : retryAfterMs(outcome.answer, 0));
    this.#gate.increase();
    if (outcome.kind === 'answered') this.#halt.letThrough();
  }

  /** A rate limit error came at this try: whether the request goes out again. All then wait as long as was asked for. */
  tryAgain(exchange: Exchange, tries: number): boolean {
    this.#gate.decrease();
    const wanted = exchange.outcome.kind === 'answered' ? retryAfterMs(exchange.outcome.answer) : 0;
    this.#heed(wanted);
    if (wanted > LONGEST_WAIT_MS) return false;
    if (tries === TRIES || this.#resends >= this.#mostResends) {
      this.#halt.keptOut();
      return false;
    }
    this.#resends += 1;
    return true;
  }

  #heed(wanted: number): void {
    if (wanted > LONGEST_WAIT_MS) this.#halt.askedToWait(wanted);
    else this.#resumeAt = Math.max(this.#resumeAt, performance.now() + wanted);
  }
}
