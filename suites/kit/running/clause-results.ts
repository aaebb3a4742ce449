import { type ClauseId, CLAUSES, clauseIds } from '../../../fixtures/clauses.ts';
import type { CheckResult, ClauseResult } from '../summary.ts';
import type { Verdict } from '../verdict.ts';

/** Of several checks of a clause the first of these verdicts that one has is the clause's. */
const WEIGHTIEST_FIRST: readonly Verdict[] = [
  'fail',
  'error',
  'warn',
  'pass',
  'observed',
  'inconclusive',
  'not-exercised',
];

/** One result for every clause of the specification, exercised or not. */
export function clauseResults(checks: readonly CheckResult[]): ClauseResult[] {
  return clauseIds().map((id) =>
    clauseResult(
      id,
      checks.filter((check) => check.clauses.includes(id)),
    ),
  );
}

function clauseResult(id: ClauseId, checks: readonly CheckResult[]): ClauseResult {
  const { bound, level, notYet } = CLAUSES[id];
  const weightiest = WEIGHTIEST_FIRST.flatMap((verdict) =>
    checks.filter((check) => check.verdict === verdict),
  ).at(0);
  return {
    id,
    bound,
    level,
    verdict: weightiest?.verdict ?? 'not-exercised',
    checks: checks.map((check) => check.id),
    reason: weightiest?.reason ?? notYet ?? 'none of the selected checks bears on it',
  };
}
