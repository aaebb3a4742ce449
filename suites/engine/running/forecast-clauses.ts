import { type Check, levelOf, type Invariant } from '../model/check.ts';
import { KEY_NAMES } from '../model/exchange.ts';
import { decidedDuties } from '../model/ruling.ts';
import type { CheckResult, ClauseResult } from '../model/summary.ts';
import { clauseResults } from '../summary/clause-results.ts';
import type { PlannedStimulus, PlanOptions } from './spending-plan.ts';

/** What a run would report of each clause if whatever it sends holds. */
export function forecastClauses(
  { checks, invariants, selected, withholds, target }: PlanOptions,
  planned: readonly PlannedStimulus[],
): readonly ClauseResult[] {
  const reasons = new Map(planned.map((each) => [each.stimulus, each]));
  const own = checks.map((check) => resultOf(check, withholds, reasons.get(check.given)));
  const passing = invariants.filter(({ id }) => selected?.has(id) ?? true);
  return clauseResults([...own, ...passing.map((invariant) => resultOf(invariant, withholds))], {
    invariants: new Set(passing.map(({ id }) => id)),
    keys: new Set(KEY_NAMES.filter((name) => target.keys[name] !== undefined)),
  });
}

/** The result of a check or an invariant of which all holds that its stimulus sends. */
function resultOf(
  of: Check | Invariant,
  withholds: PlanOptions['withholds'],
  { costs, reason: unsent }: Pick<PlannedStimulus, 'costs' | 'reason'> = { costs: [] },
): CheckResult {
  const { id, clauses, title, decides } = of;
  const level = levelOf(of);
  const isHalf = withholds !== undefined && costs.some(({ refused = 0 }) => refused > 0);
  const verdict =
    unsent !== undefined ? 'not-exercised' : isHalf ? 'inconclusive' : level === 'open' ? 'observed' : 'pass';
  const reason = unsent ?? (isHalf ? 'violations are found, but a refusal alone is no pass' : '');
  const duties = decides === undefined ? [] : [decidedDuties(decides)].flat();
  return {
    id,
    clauses,
    title,
    level,
    verdict,
    reason,
    ...(duties.length > 0 && { duties: duties.map((duty) => ({ duty, verdict, reason })) }),
    exchanges: 0,
    failures: [],
    evidence: [],
  };
}
