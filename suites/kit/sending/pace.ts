import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from '../exchange.ts';
import { Gate } from './gate.ts';
import type { Halt } from './halt.ts';
import { retryAfterMs } from './rate-limited.ts';

const TRIES = 5;

/** The timeout of the tested configuration: nothing is waited for longer (CALL-6). */
const LONGEST_WAIT_MS = 120_000;

/** How fast a run sends: fewer at once after a rate limit error, nothing while the target asks to wait (CALL-1). */
export class Pace {
  readonly #gate: Gate;
  readonly #halt: Halt;
  readonly #mostResends: number;
  #resends = 0;
  /** Until then nobody sends: a rate limit error asks all to wait, not only the request it refused. */
  #resumeAt = 0;

  /** `mostResends`: how often requests go out again after a rate limit error, all together. */
  constructor(concurrency: number, halt: Halt, mostResends: number) {
    this.#gate = new Gate(concurrency);
    this.#halt = halt;
    this.#mostResends = mostResends;
  }

  /** Sends once it may. */
  async send<T>(send: () => Promise<T>): Promise<T> {
    const entrance = this.#gate.enter();
    if (entrance !== undefined) await entrance;
    try {
      const pause = this.#resumeAt - performance.now();
      if (pause > 0) await wait(pause);
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
    const pause = retryAfterMs(exchange);
    if (pause > LONGEST_WAIT_MS) {
      this.#halt.askedToWait(pause);
      return false;
    }
    this.#resumeAt = Math.max(this.#resumeAt, performance.now() + pause);
    if (tries === TRIES || this.#resends >= this.#mostResends) {
      this.#halt.keptOut();
      return false;
    }
    this.#resends += 1;
    return true;
  }
}
