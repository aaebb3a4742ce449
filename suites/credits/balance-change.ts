import type { Balance } from '../kit/model/deployment.ts';

/** The balance before and after a request, in whole credits. */
export interface BalanceChange {
  readonly before: Balance;
  readonly after: Balance;
}

/** The credits that were debited; held credits are not. */
export function spentIn({ before, after }: BalanceChange): number {
  return before.available + before.held - after.available - after.held;
}

/** How many more credits are held than before. */
export function moreHeldIn({ before, after }: BalanceChange): number {
  return after.held - before.held;
}
