import type { Exchange } from '../exchange.ts';
import type { RunOptions } from '../run.ts';
import { Gate } from './gate.ts';
import type { Halt } from './halt.ts';
import { pause } from './pause.ts';
import { retryAfterMs } from './rate-limited.ts';

const TRIES = 5;

/** The timeout of the tested configuration: nothing is waited for longer (CALL-6). */
const LONGEST_WAIT_MS = 120_000;

/** How fast a run sends: fewer at once after a rate limit error, nothing while the target asks to wait (CALL-1). */
export class Pace {
  readonly #gate: Gate;
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
    this.#gate = new Gate(concurrency);
    this.#signal = signal;
    this.#halt = halt;
    this.#mostResends = mostResends;
  }

  /** Sends once it may. */
  async send<T>(send: () => Promise<T>): Promise<T> {
    const entrance = this.#gate.enter();
    if (entrance !== undefined) await entrance;
    try {
      await pause(this.#resumeAt - performance.now(), this.#signal);
      return await send();
    } finally {
      this.#gate.leave();
    }
  }

  /** What came was no rate limit error. */
  letThrough({ outcome }: Exchange): void {
    this.#gate.widen();
    if (outcome.kind === 'answered') this.#halt.letThrough();
  }

  /** A rate limit error came at this try: whether the request goes out again. All then wait as long as was asked for. */
  tryAgain(exchange: Exchange, tries: number): boolean {
    this.#gate.narrow();
    const wanted = retryAfterMs(exchange);
    if (wanted > LONGEST_WAIT_MS) {
      this.#halt.askedToWait(wanted);
      return false;
    }
    this.#resumeAt = Math.max(this.#resumeAt, performance.now() + wanted);
    if (tries === TRIES || this.#resends >= this.#mostResends) {
      this.#halt.keptOut();
      return false;
    }
    this.#resends += 1;
    return true;
  }
}
