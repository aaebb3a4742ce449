import type { Balance } from '../kit/model/deployment.ts';

/** A workspace before and after something was sent, in whole credits. */
export interface BalanceChange {
  readonly before: Balance;
  readonly after: Balance;
}

/** What left the workspace meanwhile: credits that are set aside have not left it. */
export function spentIn({ before, after }: BalanceChange): number {
  return before.available + before.held - after.available - after.held;
}

/** How much more is set aside than before. */
export function moreHeldIn({ before, after }: BalanceChange): number {
  return after.held - before.held;
}
