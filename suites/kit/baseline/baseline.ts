import type { CheckResult, FailureKind } from '../model/summary.ts';

/** A failure that is known and does not fail a run. */
export interface KnownFailure {
  readonly check: string;
  /** One of the check's clauses, for people. */
  readonly clause?: string;
  /** Which of the check's failures; absent, whichever. Without a path, of this code at any path. */
  readonly failure?: Pick<FailureKind, 'code' | 'path'>;
  readonly reason: string;
  /** The last day, in UTC, on which it does not fail a run: `2027-01-31`. */
  readonly until?: string;
}

/** Whether an entry lists one way in which a check failed. */
export function lists({ check, failure }: KnownFailure, id: string, kind: FailureKind): boolean {
  if (check !== id) return false;
  if (failure === undefined) return true;
  return failure.code === kind.code && (failure.path === undefined || failure.path === kind.path);
}

/**
 * Whether a check that was judged shows that an entry lists nothing any more. Where only a part of its inputs was tried,
 * the failure may be one that another seed comes to.
 */
export function isFixed(entry: KnownFailure, { id, verdict, failures, inputs }: CheckResult): boolean {
  return inputs === undefined && didNotOccur(entry, { id, verdict, failures });
}

/** Whether a check that was judged did not fail as an entry says. */
export function didNotOccur(
  entry: KnownFailure,
  { id, verdict, failures }: Pick<CheckResult, 'id' | 'verdict' | 'failures'>,
): boolean {
  if (verdict === 'pass' || verdict === 'observed') return true;
  return failedOrWarned({ verdict }) && !failures.some((kind) => lists(entry, id, kind));
}

/** Only what the target did can be known: an `error` is ours, and never hidden. */
export function failedOrWarned({ verdict }: Pick<CheckResult, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'warn';
}
