import { isDeepStrictEqual } from 'node:util';
import { BOUND_TO_CALLER } from '../../../fixtures/clauses/clause.ts';
import { type ClauseId, CLAUSES, clauseIds, type Level } from '../../../fixtures/clauses/clauses.ts';
import { openPoints } from '../../../fixtures/clauses/open-points.ts';
import { type Observation, saysNotSent } from '../model/ruling.ts';
import type { CheckResult, ClauseResult, Verdict, OpenPointResult } from '../model/summary.ts';
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

type Bearing = Pick<CheckResult, 'id' | 'clauses' | 'level' | 'verdict' | 'reason' | 'duties'>;

/** One result for every clause of the specification, exercised or not. `invariants`: the IDs of those, which judge what others provoke. */
export function clauseResults(results: readonly Bearing[], invariants: ReadonlySet<string>): ClauseResult[] {
  return clauseIds().map((id) => {
    const { bound, level } = CLAUSES[id];
    const bearing = results.filter(({ clauses }) => clauses.includes(id));
    const checks = bearing.map((check) => check.id);
    return { id, bound, level, checks, ...clauseVerdict(id, bearing, invariants) };
  });
}

/** Why a clause has no verdict in a run that was asked about others. */
export const NOT_SELECTED = 'no selected check covers it';

type Decided = Pick<ClauseResult, 'verdict' | 'reason' | 'missing'>;

/** A clause passes where each of its duties was seen to hold, whatever else decided nothing. */
function clauseVerdict(id: ClauseId, bearing: readonly Bearing[], invariants: ReadonlySet<string>): Decided {
  const { bound } = CLAUSES[id];
  if (bearing.length === 0) return unexercised(bound === 'caller' ? BOUND_TO_CALLER : NOT_SELECTED);
  const undecided = bearing.filter(({ verdict }) => verdict !== 'pass');
  const broken = weightiest(undecided.filter(({ verdict }) => BROKEN.has(verdict)));
  if (broken !== undefined) return { verdict: broken.verdict, reason: broken.reason };
  const duties = dutiesOf(id, bearing, invariants);
  const missing = duties.filter(({ verdict }) => verdict !== 'pass');
  const worst = weightiest([...undecided, ...missing]);
  if (missing.length === duties.length && worst !== undefined)
    return { verdict: worst.verdict, reason: waysTo(worst, carryingOf(undecided, invariants)) };
  if (missing.length === 0) return { verdict: 'pass', reason: '' };
  const parts = missing.map(({ duty, reason }) => `${duty} (${reason})`);
  return {
    verdict: 'inconclusive',
    reason: `passed in part, without: ${parts.join('; ')}`,
    missing: missing.map(({ duty, reason }) => ({ duty, reason })),
  };
}

const BROKEN: ReadonlySet<Verdict> = new Set(['fail', 'error', 'warn']);

function unexercised(reason: string): Decided {
  return { verdict: 'not-exercised', reason };
}

/** What was seen of each duty of a clause; one without named duties has one. */
function dutiesOf(id: ClauseId, bearing: readonly Bearing[], invariants: ReadonlySet<string>) {
  const { duties } = CLAUSES[id];
  if (duties === undefined) return [{ duty: id, ...dutySeen(bearing, invariants) }];
  return duties.map((duty) => {
    const deciding = bearing.flatMap((check) =>
      (check.duties ?? []).flatMap((own) => (own.duty === duty ? { ...check, ...own } : [])),
    );
    return { duty, ...dutySeen(deciding, invariants) };
  });
}

/** The weakest last. */
const LEVELS: readonly Level[] = ['stated', 'implied', 'convention', 'open'];

/**
 * One check that saw a duty hold is enough: the checks of a duty are several ways to it. An invariant that held does not
 * replace a check that was not exercised; of a duty that has only invariants the strongest ones decide.
 */
function dutySeen(deciding: readonly Bearing[], invariants: ReadonlySet<string>): Decided {
  const carrying = carryingOf(deciding, invariants);
  if (carrying.some(({ verdict }) => verdict === 'pass')) return { verdict: 'pass', reason: '' };
  const worst = weightiest(carrying);
  if (worst === undefined) return unexercised('no selected check decides it');
  return { verdict: worst.verdict, reason: waysTo(worst, carrying) };
}

/** Those that decide a duty. */
function carryingOf(deciding: readonly Bearing[], invariants: ReadonlySet<string>): readonly Bearing[] {
  const own = deciding.filter(({ id }) => !invariants.has(id));
  const strongest = LEVELS.find((each) => deciding.some(({ level }) => level === each));
  return own.length > 0 ? own : deciding.filter(({ level }) => level === strongest);
}

function weightiest<T extends Decided>(all: readonly T[]): T | undefined {
  return WEIGHTIEST_FIRST.flatMap((one) => all.filter(({ verdict }) => verdict === one)).at(0);
}

const NEEDS_CONTROL = 'needs --control-url';

/**
 * Why something was not exercised: what the run did not send, before what it may not; then what most of the checks say. Where
 * one check needs the control API and others do not, every way to it.
 */
function waysTo({ verdict, reason }: Decided, all: readonly Decided[]): string {
  if (verdict !== 'not-exercised') return reason;
  const idle = all.filter((each) => each.verdict === 'not-exercised');
  const byReason = Map.groupBy(idle, (each) => each.reason);
  const [commonest = reason, ...further] = [...byReason.keys()].toSorted(
    (one, other) =>
      Number(saysNotSent(other)) - Number(saysNotSent(one)) ||
      (byReason.get(other)?.length ?? 0) - (byReason.get(one)?.length ?? 0),
  );
  const reasons = new Set([commonest, ...further]);
  if (saysNotSent(commonest) || !reasons.delete(NEEDS_CONTROL) || reasons.size === 0) return commonest;
  const others = [...reasons];
  return others.every((each) => each.startsWith('needs '))
    ? [NEEDS_CONTROL, ...others.map((each) => each.slice('needs '.length))].join(' or ')
    : `${NEEDS_CONTROL}, since ${others.join(', and ')}`;
}

/** What was seen at each open point, in the order of the specification. */
export function openPointResults(observations: readonly Observation[], profile: Profile): OpenPointResult[] {
  return openPoints().flatMap(({ name: point, clause }) => {
    const seen: unknown[] = [];
    for (const each of observations)
      if (each.point === point && !seen.some((value) => isDeepStrictEqual(value, each.value)))
        seen.push(each.value);
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
