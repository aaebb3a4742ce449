import { isDeepStrictEqual } from 'node:util';
import { BOUND_TO_CALLER } from '../../../fixtures/clauses/clause.ts';
import { type ClauseId, CLAUSES, clauseIds, type Level } from '../../../fixtures/clauses/clauses.ts';
import { openPoints } from '../../../fixtures/clauses/open-points.ts';
import { type KeyName, KEY_VARIABLES } from '../model/exchange.ts';
import type { Observation } from '../model/ruling.ts';
import type { CheckResult, ClauseResult, Verdict, OpenPointResult } from '../model/summary.ts';
import type { Profile } from '../model/target.ts';

/** A clause takes the first of these verdicts that one of its checks has. */
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

/** Why a clause without a check in this run has no verdict. */
const WITHOUT_CHECK = {
  service: 'no selected check covers it',
  caller: BOUND_TO_CALLER,
} as const;

function clauseResult(
  id: ClauseId,
  bearing: readonly CheckResult[],
  circumstances: Circumstances,
): ClauseResult {
  const { bound, level, notYet } = CLAUSES[id];
  const telling = tellingOf(bearing, circumstances);
  const weightiest = WEIGHTIEST_FIRST.flatMap((one) => telling.filter(({ verdict }) => verdict === one)).at(
    0,
  );
  const withheld = weightiest?.verdict === 'pass' ? withheldPass(id, bearing, circumstances) : undefined;
  const ruling = withheld ?? (weightiest && { ...weightiest, reason: waysTo(weightiest, telling) });
  const { verdict, reason } = ruling ?? {
    verdict: 'not-exercised',
    reason: notYet ?? WITHOUT_CHECK[bound],
  };
  return {
    id,
    bound,
    level,
    verdict,
    checks: bearing.map((check) => check.id),
    reason,
  };
}

const NEEDS_CONTROL = 'needs --control-url';

/** Why a clause was not exercised: where one check needs the control API and others do not, every way to it. */
function waysTo({ verdict, reason }: CheckResult, telling: readonly CheckResult[]): string {
  if (verdict !== 'not-exercised') return reason;
  const idle = telling.filter((each) => each.verdict === 'not-exercised').map((each) => each.reason);
  const others = [...new Set(idle)].filter((each) => each !== NEEDS_CONTROL);
  if (others.length === idle.length || others.length === 0) return reason;
  return `${NEEDS_CONTROL}, or: ${others.join('; ')}`;
}

/** A pass of an invariant is no pass of the clause where its own checks did not pass. */
function tellingOf(bearing: readonly CheckResult[], circumstances: Circumstances): readonly CheckResult[] {
  const carrying = carryingOf(bearing, circumstances);
  return bearing.filter((each) => each.verdict !== 'pass' || carrying.includes(each));
}

const STRONGEST_FIRST: readonly Level[] = ['stated', 'implied', 'convention', 'open'];

/** The checks of a clause; of one that has only invariants the strongest of those. */
function carryingOf(bearing: readonly CheckResult[], { invariants }: Circumstances): readonly CheckResult[] {
  const own = bearing.filter(({ id }) => !invariants.has(id));
  if (own.length > 0) return own;
  const strongest = STRONGEST_FIRST.find((each) => bearing.some(({ level }) => level === each));
  return bearing.filter(({ level }) => level === strongest);
}

/** The verdict in place of a pass where a part of the clause was not tested. */
function withheldPass(
  id: ClauseId,
  bearing: readonly CheckResult[],
  { keys }: Circumstances,
): Pick<ClauseResult, 'verdict' | 'reason'> | undefined {
  const key = lackingKey(id, keys);
  if (key !== undefined) return { verdict: 'not-exercised', reason: key };
  for (const essential of CLAUSES[id].essentialChecks ?? []) {
    const part = bearing.find((each) => each.id === essential);
    if (part === undefined) return { verdict: 'not-exercised', reason: unselectedPart(essential) };
    const { verdict, reason } = part;
    if (verdict !== 'pass') return { verdict, reason: untestedPart(reason) };
  }
  return undefined;
}

function untestedPart(reason: string): string {
  return `only part of it was tested: ${reason}`;
}

/** Why a clause is only partly exercised without this check. */
export function unselectedPart(checkId: string): string {
  return untestedPart(`${checkId} was not selected`);
}

const KEY_OF_NEED = { 'second-key': 'second', 'unscoped-key': 'unscoped' } as const;

/** Why a clause is only half exercised: the run lacks a key that it needs. */
export function lackingKey(id: ClauseId, keys: ReadonlySet<KeyName>): string | undefined {
  // Stryker disable next-line ArrayDeclaration: neither fallback holds anything that is looked for
  for (const need of CLAUSES[id].needs ?? []) {
    // Stryker disable next-line ConditionalExpression: only narrows the type: other shapes lead to the same result
    const name = need === 'second-key' || need === 'unscoped-key' ? KEY_OF_NEED[need] : undefined;
    if (name !== undefined && !keys.has(name))
      return `only partly tested: to test the rest, set ${KEY_VARIABLES[name]}`;
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
