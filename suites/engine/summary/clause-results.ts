import { isDeepStrictEqual } from 'node:util';
import { BOUND_TO_CALLER } from '../../../fixtures/clauses/clause.ts';
import { type ClauseId, CLAUSES, clauseIds, type Level } from '../../../fixtures/clauses/clauses.ts';
import { openPoints } from '../../../fixtures/clauses/open-points.ts';
import type { KeyName } from '../model/exchange.ts';
import { SECRET_VARIABLES } from '../model/exchange.ts';
import type { Observation } from '../model/ruling.ts';
import type { CheckResult, ClauseResult, DutyResult, Verdict, OpenPointResult } from '../model/summary.ts';
import type { Profile } from '../model/target.ts';

/** The verdicts, those first that outweigh the others. */
export const WEIGHTIEST_FIRST: readonly Verdict[] = [
  'fail',
  'error',
  'warn',
  'pass',
  'observed',
  'inconclusive',
  'not-exercised',
];

/** What the verdict of a clause depends on, beside its checks. */
interface Circumstances {
  /** IDs of results that are invariants: they judge what others provoke. */
  readonly invariants: ReadonlySet<string>;
  readonly keys: ReadonlySet<KeyName>;
}

/** One result for every clause of the specification, exercised or not. */
export function clauseResults(results: readonly CheckResult[], circumstances: Circumstances): ClauseResult[] {
  return clauseIds().map((id) => {
    const bearing = results.filter(({ clauses }) => clauses.includes(id));
    return clauseResult(id, bearing, circumstances);
  });
}

/** Why a clause has no verdict in a run that was asked about others. */
export const NOT_SELECTED = 'no selected check covers it';

/** Why a clause without a check in this run has no verdict. */
const WITHOUT_CHECK = {
  service: NOT_SELECTED,
  caller: BOUND_TO_CALLER,
} as const;

function clauseResult(
  id: ClauseId,
  bearing: readonly CheckResult[],
  circumstances: Circumstances,
): ClauseResult {
  const { bound, level, notYet } = CLAUSES[id];
  const withoutCheck = { verdict: 'not-exercised', reason: notYet ?? WITHOUT_CHECK[bound] } as const;
  return {
    id,
    bound,
    level,
    checks: bearing.map((check) => check.id),
    ...(bearing.length === 0 ? withoutCheck : clauseVerdict(id, bearing, circumstances)),
  };
}

type ClauseVerdict = Pick<ClauseResult, 'verdict' | 'reason' | 'missing'>;

const BROKEN: ReadonlySet<Verdict> = new Set(['fail', 'error', 'warn']);

/** A clause passes where each of its duties was seen to hold, whatever else decided nothing. */
function clauseVerdict(
  id: ClauseId,
  bearing: readonly CheckResult[],
  circumstances: Circumstances,
): ClauseVerdict {
  const undecided = bearing.filter(({ verdict }) => verdict !== 'pass');
  const broken = weightiest(undecided);
  if (broken !== undefined && BROKEN.has(broken.verdict)) return verdictIn(broken);
  const duties = dutiesOf(id, bearing, circumstances);
  const missing = duties.filter(({ verdict }) => verdict !== 'pass');
  const worst = weightiest([...undecided, ...missing]);
  if (missing.length === duties.length && worst !== undefined)
    return { ...verdictIn(worst), reason: waysTo(worst, undecided) };
  const lacking = lackingKey(id, circumstances.keys);
  if (lacking !== undefined) return { verdict: 'not-exercised', reason: lacking };
  return missing.length === 0 ? { verdict: 'pass', reason: '' } : inPart(missing);
}

function verdictIn({ verdict, reason }: ClauseVerdict): ClauseVerdict {
  return { verdict, reason };
}

function inPart(unseen: readonly DutyResult[]): ClauseVerdict {
  const missing = unseen.map(({ duty, reason }) => ({ duty, reason }));
  const parts = missing.map(({ duty, reason }) => `${duty} (${reason})`);
  return { verdict: 'inconclusive', reason: `passed in part, without: ${parts.join('; ')}`, missing };
}

/** What was seen of each duty of a clause; one without named duties has one. */
function dutiesOf(
  id: ClauseId,
  bearing: readonly CheckResult[],
  circumstances: Circumstances,
): readonly DutyResult[] {
  const { duties } = CLAUSES[id];
  if (duties === undefined) return [dutySeen(id, bearing, circumstances)];
  return duties.map((duty) => {
    const deciding = bearing.flatMap((result) => {
      const own = result.duties?.find((each) => each.duty === duty);
      return own === undefined ? [] : { ...result, ...verdictIn(own) };
    });
    return dutySeen(duty, deciding, circumstances);
  });
}

/** One check that saw it hold is enough: the checks of a duty are several ways to it. */
function dutySeen(duty: string, deciding: readonly CheckResult[], circumstances: Circumstances): DutyResult {
  const carrying = carryingOf(deciding, circumstances);
  if (carrying.some(({ verdict }) => verdict === 'pass')) return { duty, verdict: 'pass', reason: '' };
  const worst = weightiest(carrying);
  return worst === undefined
    ? { duty, verdict: 'not-exercised', reason: UNDECIDED_DUTY }
    : { duty, verdict: worst.verdict, reason: waysTo(worst, carrying) };
}

/** Why a duty was not seen of which no check was selected. */
const UNDECIDED_DUTY = 'no selected check decides it';

function weightiest<T extends ClauseVerdict>(all: readonly T[]): T | undefined {
  return WEIGHTIEST_FIRST.flatMap((one) => all.filter(({ verdict }) => verdict === one)).at(0);
}

const NEEDS_CONTROL = 'needs --control-url';

/** Why something was not exercised: where one check needs the control API and others do not, every way to it. */
function waysTo({ verdict, reason }: ClauseVerdict, all: readonly CheckResult[]): string {
  if (verdict !== 'not-exercised') return reason;
  const idle = all.filter((each) => each.verdict === 'not-exercised').map((each) => each.reason);
  const others = [...new Set(idle)].filter((each) => each !== NEEDS_CONTROL);
  if (!idle.includes(NEEDS_CONTROL) || others.length === 0) return reason;
  return `${NEEDS_CONTROL}, or: ${others.join('; ')}`;
}

const STRONGEST_FIRST: readonly Level[] = ['stated', 'implied', 'convention', 'open'];

/**
 * The checks among those that decide a duty: an invariant that held does not replace a check of the clause that was not
 * exercised. Of a duty that has only invariants the strongest of those.
 */
function carryingOf(deciding: readonly CheckResult[], { invariants }: Circumstances): readonly CheckResult[] {
  const own = deciding.filter(({ id }) => !invariants.has(id));
  if (own.length > 0) return own;
  const strongest = STRONGEST_FIRST.find((each) => deciding.some(({ level }) => level === each));
  return deciding.filter(({ level }) => level === strongest);
}

const KEY_OF_NEED = { 'second-key': 'second', 'unscoped-key': 'unscoped' } as const;

/** Why a clause is only half exercised: the run lacks a key that it needs. */
function lackingKey(id: ClauseId, keys: ReadonlySet<KeyName>): string | undefined {
  for (const need of CLAUSES[id].needs ?? []) {
    const name = need === 'second-key' || need === 'unscoped-key' ? KEY_OF_NEED[need] : undefined;
    if (name !== undefined && !keys.has(name))
      return `only partly tested: to test the rest, set ${SECRET_VARIABLES[`keys.${name}`]}`;
  }
  return undefined;
}

/** What was seen at each open point, in the order of the specification. */
export function openPointResults(observations: readonly Observation[], profile: Profile): OpenPointResult[] {
  const byPoint = Map.groupBy(observations, ({ point }) => point);
  return openPoints().flatMap(({ name: point, clause }) => {
    const seen = distinctValues(byPoint.get(point) ?? []);
    if (seen.length === 0) return [];
    const pin = profile.pins?.[point];
    return {
      clause,
      point,
      ...(seen.length === 1 ? { observed: seen[0] } : { observed: seen, varied: true as const }),
      ...(pin !== undefined && { pinned: pin }),
    };
  });
}

function distinctValues(observations: readonly Observation[]): unknown[] {
  const values: unknown[] = [];
  for (const { value } of observations) {
    if (!values.some((known) => isDeepStrictEqual(known, value))) values.push(value);
  }
  return values;
}
