import {
  type Answer,
  type ArmedFault,
  type Exchange,
  isChargeable,
  type Outcome,
} from '../model/exchange.ts';
import type { Caps, RunOptions } from '../model/run.ts';
import type { Spent } from '../model/summary.ts';
import { isSuccess, isUnavailable } from '../reading/answers.ts';
import { askedOutput, latin1 } from './sent-request.ts';

/** Without a free place: wait until other requests have settled, or drop the request. */
export type WhenFull = 'wait' | 'give-up';

/**
 * The caps of a run. A request that might become a completion holds a place among the completions until its
 * answer says whether it did, so that no order of arrival takes a run over its cap.
 */
export class Budget {
  readonly #caps: Caps;
  readonly #withholds: RunOptions['withholds'];
  readonly #settled: (() => void)[] = [];
  #pending = 0;
  readonly #spent = { requests: 0, completions: 0, outputTokens: 0, uncertain: 0 };
  /** Why a request was not sent; undefined while all were. */
  over: string | undefined;

  constructor(caps: Caps, withholds?: RunOptions['withholds']) {
    this.#caps = caps;
    this.#withholds = withholds;
  }

  get spent(): Spent {
    return { ...this.#spent };
  }

  /** What the caps leave room for, given that what is in flight is a completion. */
  get left(): Pick<Caps, 'requests' | 'completions'> {
    const { requests, completions } = this.#caps;
    return {
      requests: requests - this.#spent.requests,
      completions: completions - this.#spent.completions - this.#pending,
    };
  }

  /**
   * Takes a place for a request, or says why there is none; `chargeable`: it may become a completion. A request that is
   * dropped does not end the run.
   */
  async take(chargeable: boolean, whenFull: WhenFull = 'wait'): Promise<string | undefined> {
    const isFull = (): boolean => chargeable && this.left.completions <= 0;
    const mayWait = (): boolean => whenFull === 'wait' && this.#pending > 0;
    // Check again in the turn that takes the place: others wake up for it too.
    while (isFull() && mayWait()) await new Promise<void>((resolve) => this.#settled.push(resolve));
    const isSpent = this.left.requests <= 0;
    if (!isSpent && !isFull()) {
      this.#spent.requests += 1;
      if (chargeable) this.#pending += 1;
      return undefined;
    }
    const cap = isSpent ? capOf(this.#caps.requests, 'request') : capOf(this.#caps.completions, 'completion');
    if (whenFull === 'give-up') return `no room was left under ${cap}`;
    // A service may complete a chat in a run without completions.
    const hasCompleted = !isSpent && this.#withholds !== undefined && this.#spent.completions > 0;
    this.over = hasCompleted ? COMPLETED : `${cap} was reached`;
    return this.over;
  }

  /** Gives the place of a request back, which has ended. */
  settle({ request, outcome, armed }: Exchange): void {
    if (outcome.kind === 'uncertain' && armed === undefined) this.#spent.uncertain += 1;
    if (!isChargeable(request)) return;
    const { completed, outputTokens } = chargeOf(outcome, askedOutput(request.body), armed);
    this.#pending -= 1;
    if (completed) this.#spent.completions += 1;
    this.#spent.outputTokens += outputTokens;
    for (const wake of this.#settled.splice(0)) wake();
  }
}

const COMPLETED =
  'a chat that must be refused was accepted, or its outcome is uncertain: no more of them are sent';

function capOf(count: number, what: string): string {
  return `the cap of ${count} ${what}${count === 1 ? '' : 's'}`;
}

/** What a request may have cost. */
interface Charge {
  readonly completed: boolean;
  readonly outputTokens: number;
}

/**
 * The most that a chargeable request can have cost. An uncertain outcome counts as a completion (CALL-2); so does a
 * failure, which may have come after the debit, unless it was armed as a refusal.
 */
export function chargeOf(outcome: Outcome, asked: number, armed?: ArmedFault): Charge {
  const isFree = outcome.kind === 'answered' ? isRefusal(outcome.answer, armed) : outcome.kind === 'not-sent';
  return { completed: !isFree, outputTokens: isFree ? 0 : outputTokensOf(outcome, asked) };
}

function isRefusal(answer: Answer, armed: ArmedFault | undefined): boolean {
  if (isSuccess(answer)) return false;
  return answer.status < 500 || isUnavailable(answer) || armed === 'refusal';
}

const REPORTED = /"(?:completion|output|generated|candidates)_?tokens?(?:_?count)?"\s*:\s*(\d+)/gi;

/**
 * The output tokens of a completion: what its answer reports, whole or streamed, under any of the usual names; else the
 * most that it can be, by what was asked for and by its bytes.
 */
function outputTokensOf(outcome: Outcome, asked: number): number {
  if (outcome.kind === 'not-sent' || outcome.answer === undefined) return asked;
  const { body, whole } = outcome.answer;
  const last = [...latin1(body).matchAll(REPORTED)].at(-1)?.[1];
  return last === undefined ? Math.ceil(Math.min(asked, whole?.bytes ?? body.length)) : Number(last);
}
