import { type Check, levelOf } from '../model/check.ts';
import { KEY_NAMES } from '../model/exchange.ts';
import type { Invariant } from '../model/invariant.ts';
import { decidedDuties } from '../model/ruling.ts';
import type { CheckResult, ClauseResult, DutyResult } from '../model/summary.ts';
import { clauseResults } from '../summary/clause-results.ts';
import type { PlannedStimulus, PlanOptions } from './spending-plan.ts';

/** Whether a clause is exercised; `reason`: why not, or why only in part. */
export interface ClauseForecast extends Pick<ClauseResult, 'id' | 'reason'> {
  readonly exercised: boolean;
}

/** Which clauses a run would exercise: those that have a verdict where whatever is sent holds. */
export function forecastClauses(
  { checks, invariants, selected, withholds, target }: PlanOptions,
  planned: readonly PlannedStimulus[],
): readonly ClauseForecast[] {
  const prospects = new Map(planned.map((each) => [each.stimulus, prospectOf(each, withholds)]));
  const own = checks.map((check) => resultOf(check, prospects.get(check.given) ?? PASS));
  const passing = invariants.filter(({ id }) => selected?.has(id) ?? true);
  return clauseResults([...own, ...passing.map((invariant) => resultOf(invariant, PASS))], {
    invariants: new Set(passing.map(({ id }) => id)),
    keys: new Set(KEY_NAMES.filter((name) => target.keys[name] !== undefined)),
  }).map(({ id, verdict, reason, missing }) => ({
    id,
    exercised: verdict !== 'not-exercised',
    reason: missing === undefined ? reason : `without: ${missing.map(inWords).join('; ')}`,
  }));
}

type Prospect = Pick<CheckResult, 'verdict' | 'reason'>;

const PASS: Prospect = { verdict: 'pass', reason: '' };

function prospectOf({ costs, reason }: PlannedStimulus, withholds: PlanOptions['withholds']): Prospect {
  if (reason !== undefined) return { verdict: 'not-exercised', reason };
  return withholds !== undefined && costs.some(({ refused = 0 }) => refused > 0)
    ? { verdict: 'inconclusive', reason: 'violations are found, but a refusal alone is no pass' }
    : PASS;
}

/** The result of a check or an invariant that has decided nothing else. */
function resultOf(of: Check | Invariant, prospect: Prospect): CheckResult {
  const { id, clauses, title, decides } = of;
  const duties = decides === undefined ? [] : [decidedDuties(decides)].flat();
  return {
    id,
    clauses,
    title,
    level: levelOf(of),
    ...prospect,
    ...(duties.length > 0 && { duties: duties.map((duty) => ({ duty, ...prospect })) }),
    exchanges: 0,
    failures: [],
    evidence: [],
  };
}

function inWords({ duty, reason }: Pick<DutyResult, 'duty' | 'reason'>): string {
  return `${duty} (${reason})`;
}
