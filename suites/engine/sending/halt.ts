import type { Outcome } from '../model/exchange.ts';
import { isSuccess } from '../reading/answers.ts';

const IN_A_ROW = 3;

/** Notices when nothing more must be sent: several uncertain outcomes, or several rate limit errors, in a row. */
export class Halt {
  #uncertain = 0;
  #rateLimited = 0;
  #longWait: string | undefined;

  /** Why no more completions are requested; undefined while they are. */
  get ofCompletions(): string | undefined {
    if (this.#uncertain >= IN_A_ROW) return `${IN_A_ROW} requests in a row had an uncertain outcome`;
    return this.ofAll;
  }

  /** Why nothing more is sent at all; undefined while requests are sent. */
  get ofAll(): string | undefined {
    if (this.#longWait !== undefined) return this.#longWait;
    if (this.#rateLimited < IN_A_ROW) return undefined;
    return `${IN_A_ROW} requests in a row got nothing but rate limit errors`;
  }

  /** The outcome of a chargeable request. A refusal neither extends nor ends a run of uncertain outcomes. */
  noteOutcome(outcome: Outcome): void {
    if (outcome.kind === 'uncertain') this.#uncertain += 1;
    else if (outcome.kind === 'answered' && isSuccess(outcome.answer)) this.#uncertain = 0;
  }

  /** Whether one more uncertain outcome ends the completions. */
  get isNear(): boolean {
    return this.#uncertain + 1 >= IN_A_ROW;
  }

  /** The target was gone: what was under way then is one uncertain outcome. */
  noteDeath(): void {
    this.#uncertain = Math.min(this.#uncertain, 1);
  }

  /** A request was answered, and not with a rate limit error. */
  noteAnswered(): void {
    this.#rateLimited = 0;
  }

  /** A request got a rate limit error, and is not sent again. */
  noteRateLimited(): void {
    this.#rateLimited += 1;
  }

  /** The target asked for a longer wait than a run accepts, in milliseconds. */
  noteLongWait(ms: number): void {
    this.#longWait ??= `the target asks to wait ${Math.ceil(ms / 1000)} s before anything more is sent`;
  }
}
