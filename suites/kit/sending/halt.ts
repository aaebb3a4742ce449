import type { Outcome } from '../model/exchange.ts';
import { isSuccess } from '../reading/answers.ts';

const IN_A_ROW = 3;

/** Notices when a target must be asked no more: an outcome after the other uncertain, or nothing let through. */
export class Halt {
  #uncertain = 0;
  #keptOut = 0;
  #longWait: string | undefined;

  /** Why no more completions are asked for; undefined while all is well. */
  get ofCompletions(): string | undefined {
    if (this.#uncertain >= IN_A_ROW) return `${IN_A_ROW} requests in a row had an uncertain outcome`;
    return this.ofAll;
  }

  /** Why nothing at all is asked for; undefined while all is well. */
  get ofAll(): string | undefined {
    if (this.#longWait !== undefined) return this.#longWait;
    if (this.#keptOut < IN_A_ROW) return undefined;
    return `the target refused ${IN_A_ROW} requests in a row for their rate, each as often as it was sent`;
  }

  /** What became of a request that might have been charged for. A refusal says nothing of how completions fare. */
  note(outcome: Outcome): void {
    if (outcome.kind === 'uncertain') this.#uncertain += 1;
    else if (outcome.kind === 'answered' && isSuccess(outcome.answer)) this.#uncertain = 0;
  }

  /** A request was answered with something else than its rate. */
  letThrough(): void {
    this.#keptOut = 0;
  }

  /** A request was refused for its rate, and is not sent again. */
  keptOut(): void {
    this.#keptOut += 1;
  }

  /** The target asked for a longer wait than a run can bear; `ms` is how long. */
  askedToWait(ms: number): void {
    this.#longWait ??= `the target asks to wait ${Math.ceil(ms / 1000)} s before anything more is sent`;
  }
}
