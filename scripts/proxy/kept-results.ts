import type { CheckResult, DutyResult, Verdict } from '../../suites/kit/model/summary.ts';

/** Which of two verdicts of a check counts: the first of these. */
const DOUBT_BEFORE_PASS: readonly Verdict[] = [
  'fail',
  'error',
  'warn',
  'inconclusive',
  'pass',
  'observed',
  'not-exercised',
];

function weight({ verdict }: Pick<CheckResult, 'verdict'>): number {
  return DOUBT_BEFORE_PASS.indexOf(verdict);
}

/** What was seen of a duty before or is seen now, whichever says more. */
function heavier({ duties = [] }: CheckResult, now: DutyResult): DutyResult {
  const before = duties.find(({ duty }) => duty === now.duty);
  return before !== undefined && weight(before) <= weight(now) ? before : now;
}

/** Requests judged twice add nothing: the first of each kind of failure, and of its evidence, is enough. */
function merged(before: CheckResult, now: CheckResult): CheckResult {
  const leading = weight(before) <= weight(now) ? before : now;
  const failures = [...before.failures, ...now.failures];
  const evidence = [...before.evidence, ...now.evidence];
  return {
    ...leading,
    exchanges: Math.max(before.exchanges, now.exchanges),
    failures: failures.filter(({ code }, i) => failures.findIndex((one) => one.code === code) === i),
    ...(now.duties !== undefined && { duties: now.duties.map((duty) => heavier(before, duty)) }),
    evidence: evidence.filter(
      ({ finding }, i) => evidence.findIndex((one) => one.finding.code === finding.code) === i,
    ),
  };
}

/** The results of what was dropped with those of what is held. */
export function withKept(
  now: readonly CheckResult[],
  kept: readonly CheckResult[] = [],
): readonly CheckResult[] {
  return now.map((result) => {
    const before = kept.find(({ id }) => id === result.id);
    return before === undefined ? result : merged(before, result);
  });
}
