import type { FailureKind } from '../model/summary.ts';
import type { Verdict } from '../model/verdict.ts';

/** What a report says of a check or a clause. */
export interface Judged {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly failures?: readonly Pick<FailureKind, 'code' | 'path'>[];
}

/** `other`: neither; such as a failure that was not exercised any more, which is no improvement. */
export type Direction = 'worse' | 'better' | 'other';

const UNANSWERED = 1;

const WORSE_LAST: Readonly<Record<Verdict, number>> = {
  pass: 0,
  observed: 0,
  'not-exercised': UNANSWERED,
  inconclusive: UNANSWERED,
  warn: 2,
  fail: 3,
  error: 3,
};

/** Where a verdict went, or which failures came and went under the same one; undefined when nothing changed. */
export function directionOf(before: Judged, after: Judged): Direction | undefined {
  if (before.verdict === after.verdict) return amongFailures(before, after);
  const [was, is] = [WORSE_LAST[before.verdict], WORSE_LAST[after.verdict]];
  if (is > was) return 'worse';
  return is === was || is === UNANSWERED ? 'other' : 'better';
}

function amongFailures(before: Judged, after: Judged): Direction | undefined {
  if (kindsBeside(after, before) > 0) return 'worse';
  return kindsBeside(before, after) > 0 ? 'better' : undefined;
}

/** How many kinds of failure one has and the other has not. */
function kindsBeside({ failures: ones = [] }: Judged, { failures: others = [] }: Judged): number {
  return ones.filter((one) => !others.some(({ code, path }) => one.code === code && one.path === path))
    .length;
}
