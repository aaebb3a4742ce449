import type { CheckResult } from '../model/summary.ts';

/** A verdict as files show it: that of a failure which a baseline lists says so. */
export function displayVerdict({ verdict, known }: Pick<CheckResult, 'verdict' | 'known'>): string {
  return known === undefined ? verdict : `${verdict}, known`;
}

/** The reason, and that of the baseline with it. */
export function reasonOf({ reason, known = [] }: Pick<CheckResult, 'reason' | 'known'>): string {
  return [...known, reason].filter((text) => text !== '').join(': ');
}

/** What fails the run by itself: not the target's known failures, and no warning. */
export function isFailing({ verdict, known }: Pick<CheckResult, 'verdict' | 'known'>): boolean {
  return verdict === 'error' || (verdict === 'fail' && known === undefined);
}
