import { type Draft, isChargeable } from './exchange.ts';

/**
 * What one draw of a stimulus sends at most. A request counts once, however often its rate is refused and it is sent
 * again. The sender of a draw enforces it.
 */
export interface Cost {
  /** Requests that cannot become a completion. */
  readonly reads?: number;
  /** Chats that must be refused: completions only if the service accepts them nevertheless. */
  readonly refused?: number;
  /** How many of these are sent only where another one of them was served. */
  readonly onceServed?: number;
  /** Chats that must or may be served: one completion each. */
  readonly served?: number;
  /** Those of both whose output is unbounded: without max_tokens, or with more than any model generates. */
  readonly open?: number;
  /** The most output tokens each of the others asks for, where that is more than the run's cap. */
  readonly outputTokens?: number;
  /** The counterparts; equal ones are sent once in a run. */
  readonly counterparts?: readonly Draft[];
}

/** Whether none of its requests can become a completion. */
export function isReading({ refused = 0, served = 0, counterparts = [] }: Cost): boolean {
  return refused + served === 0 && !counterparts.some((counterpart) => isChargeable(counterpart));
}

/** The number of requests, counterparts included. */
export function requestsOf({ reads = 0, refused = 0, served = 0, counterparts = [] }: Cost): number {
  return reads + refused + served + counterparts.length;
}

export const WITHHELD = 'it takes a completion, and this run requests none';

/** Whether anything of a draw is left to send in a run that requests no completions. */
export function isSendable({ reads = 0, refused = 0, served = 0, counterparts = [] }: Cost): boolean {
  if (served > 0) return false;
  return reads + refused > 0 || counterparts.some((counterpart) => !isChargeable(counterpart));
}
