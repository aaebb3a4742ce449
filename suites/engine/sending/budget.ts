import { type Exchange, isChargeable } from '../model/exchange.ts';
import type { Caps, RunOptions } from '../model/run.ts';
import type { Spent } from '../model/summary.ts';
import { isSuccess, isUnavailable } from '../reading/answers.ts';

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
  #requests = 0;
  #completions = 0;
  /** Why a request was not sent; undefined while all were. */
  over: string | undefined;

  constructor(caps: Caps, withholds?: RunOptions['withholds']) {
    this.#caps = caps;
    this.#withholds = withholds;
  }

  get spent(): Pick<Spent, 'requests' | 'completions'> {
    return { requests: this.#requests, completions: this.#completions };
  }

  /** What the caps leave room for, given that what is in flight is a completion. */
  get left(): Pick<Caps, 'requests' | 'completions'> {
    const { requests, completions } = this.#caps;
    return {
      requests: requests - this.#requests,
      completions: completions - this.#completions - this.#pending,
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
      this.#requests += 1;
      if (chargeable) this.#pending += 1;
      return undefined;
    }
    const cap = isSpent ? capOf(this.#caps.requests, 'request') : capOf(this.#caps.completions, 'completion');
    if (whenFull === 'give-up') return `no room was left under ${cap}`;
    // A service may complete a chat in a run without completions.
    const hasCompleted = !isSpent && this.#withholds !== undefined && this.#completions > 0;
    this.over = hasCompleted ? COMPLETED : `${cap} was reached`;
    return this.over;
  }

  /** Gives the place of a request back, which has ended. */
  settle(exchange: Exchange): void {
    if (!isChargeable(exchange.request)) return;
    this.#pending -= 1;
    if (isCharged(exchange)) this.#completions += 1;
    for (const wake of this.#settled.splice(0)) wake();
  }
}

const COMPLETED =
  'a chat that must be refused was accepted, or its outcome is uncertain: the run sends no more such chats';

function capOf(count: number, what: string): string {
  return `the cap of ${count} ${what}${count === 1 ? '' : 's'}`;
}

/**
 * Whether an exchange may have cost a completion. An uncertain outcome counts as one (CALL-2); so does a failure, which may
 * have come after the debit, unless it was armed as a refusal.
 */
export function isCharged({ request, outcome, armed }: Exchange): boolean {
  if (!isChargeable(request) || outcome.kind === 'not-sent') return false;
  if (outcome.kind === 'uncertain' || isSuccess(outcome.answer)) return true;
  return outcome.answer.status >= 500 && !isUnavailable(outcome.answer) && armed !== 'refusal';
}
