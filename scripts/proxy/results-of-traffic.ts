import type { CheckResult, ClauseResult, RunOutcome, Verdict } from '../../suites/kit/model/summary.ts';

const NOT_SHOWN =
  'nothing that passes by shows it: it takes requests that chat-conformance --base-url or chat-conformance caller sends';

/** A clause, or a duty of it, that no exchange bears on. */
export function clauseOfTraffic(clause: ClauseResult): ClauseResult {
  if (clause.verdict === 'not-exercised') return { ...clause, reason: NOT_SHOWN };
  const missing = clause.missing?.map(({ duty }) => ({ duty, reason: NOT_SHOWN }));
  if (missing === undefined) return clause;
  const parts = missing.map(({ duty }) => duty).join('; ');
  return { ...clause, missing, reason: `passed in part, without: ${parts} (${NOT_SHOWN})` };
}

/** An uncertain outcome is the service's and the caller's business, and leaves nothing of this open. */
export function outcomeOfTraffic(checks: readonly CheckResult[], cutShort: readonly string[]): RunOutcome {
  const verdicts = new Set(checks.map(({ verdict }) => verdict));
  if (verdicts.has('fail')) return 'violations';
  const isWhole = cutShort.length === 0 && !verdicts.has('error');
  return isWhole && (verdicts.has('pass') || verdicts.has('observed')) ? 'conformant' : 'incomplete';
}

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

/** The result on all exchanges. Some of them are in both: the first of each kind of failure is enough. */
export function joinedResult(before: CheckResult | undefined, now: CheckResult): CheckResult {
  if (before === undefined) return now;
  const failures = [...before.failures, ...now.failures];
  const evidence = [...before.evidence, ...now.evidence];
  return {
    ...heavier(before, now),
    exchanges: Math.max(before.exchanges, now.exchanges),
    failures: failures.filter(({ code }, i) => failures.findIndex((each) => each.code === code) === i),
    evidence: evidence.filter(
      ({ finding }, i) => evidence.findIndex((each) => each.finding.code === finding.code) === i,
    ),
    ...(now.duties !== undefined && {
      duties: now.duties.map((duty) =>
        heavier(before.duties?.find((each) => each.duty === duty.duty) ?? duty, duty),
      ),
    }),
  };
}

function heavier<Result extends { readonly verdict: Verdict }>(before: Result, now: Result): Result {
  const weight = ({ verdict }: Result): number => DOUBT_BEFORE_PASS.indexOf(verdict);
  return weight(before) <= weight(now) ? before : now;
}
