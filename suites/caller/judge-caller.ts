import { CLAUSES, type ClauseId, type Level } from '../../fixtures/clauses/clauses.ts';
import { asError, type Decides, type Ruling, notExercised, withDuties } from '../engine/model/ruling.ts';
import type { CheckResult } from '../engine/model/summary.ts';
import {
  dutyResults,
  evident,
  failureKinds,
  type Tally,
  tallyOf,
  verdictOf,
  type VerdictWithReason,
} from '../engine/summary/findings.ts';
import { adviceOn, type Shown } from './advice.ts';
import { callerEvidence } from './evidence.ts';
import { deadlineHint } from './hints.ts';
import type { Timeline } from './timeline.ts';

/** A check of callers. `judge` is synchronous and pure: from the timeline of one scenario to a ruling. */
export interface CallerCheck {
  /** Words joined by hyphens; once published it never changes its meaning. */
  readonly id: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** A sentence about the caller, without its subject. */
  readonly title: string;
  /** Of its duties: one, or for each whether what happened to the caller bears on it. */
  readonly decides?: Decides<Timeline>;
  readonly judge: (timeline: Timeline) => Ruling;
}

/** The reason of every check if the caller sent nothing. */
export const NOTHING_SENT = 'the caller sent no request';

/** The ruling that counts where a scenario gave several: what is wrong, in doubt or unknown comes before what holds. */
export function worstOf(rulings: readonly Ruling[]): Ruling | undefined {
  const kinds = ['violated', 'inconclusive', 'not-exercised', 'holds'] as const;
  return kinds.flatMap((kind) => rulings.find((ruling) => ruling.kind === kind) ?? [])[0];
}

/** The same where what shows nothing counts only if nothing else does. */
export function worstShown(rulings: readonly Ruling[]): Ruling | undefined {
  return worstOf(rulings.filter(({ kind }) => kind !== 'not-exercised')) ?? rulings[0];
}

/** A judgement that judges each thing found in a timeline. `none`: why it says nothing where there is none. */
export function judgingEach<T>(
  found: (timeline: Timeline) => readonly T[],
  none: string,
  judge: (each: T, timeline: Timeline) => Ruling,
): CallerCheck['judge'] {
  return (timeline) => worstOf(found(timeline).map((each) => judge(each, timeline))) ?? notExercised(none);
}

/** A scenario, and what a check says of it. */
interface Ruled {
  readonly timeline: Timeline;
  readonly ruling: Ruling | Error;
}

function canExercise({ clauses: asked }: CallerCheck, { clauses }: Timeline): boolean {
  return clauses === undefined || asked.some((clause) => clauses.includes(clause));
}

function ruledOn(check: CallerCheck, timeline: Timeline): Ruling | Error {
  const { requests, unmet } = timeline;
  if (!requests.some(({ place }) => place === 'service')) return notExercised(NOTHING_SENT);
  try {
    const judged = check.judge(timeline);
    // What a scenario would show shows nothing if its fault met no request.
    const isUnfounded = unmet !== undefined && (judged.kind === 'holds' || judged.kind === 'not-exercised');
    const ruling =
      isUnfounded && canExercise(check, timeline) ? notExercised(unmet, deadlineHint(timeline)) : judged;
    return withDuties(ruling, check.decides, timeline);
  } catch (error) {
    return asError(error);
  }
}

/** The verdict on all scenarios: one that leaves a doubt is not outweighed by those that hold. */
function verdictOfAll(tally: Tally, level: Level): VerdictWithReason {
  const whole = verdictOf(tally, level);
  return whole.verdict === 'pass' && tally.inconclusive !== undefined
    ? { verdict: 'inconclusive', reason: tally.inconclusive }
    : whole;
}

/** The first of each kind of violation: the same in another scenario adds nothing. */
function shownBy({ failures }: Tally, ruled: readonly Ruled[]): readonly Shown[] {
  return evident(failures).flatMap(({ finding }) => {
    const found = ruled.find(({ ruling }) => 'finding' in ruling && ruling.finding === finding);
    const request = found?.timeline.requests[finding.exchange ?? 0];
    return found && request ? { timeline: found.timeline, request, finding } : [];
  });
}

function resultOf(check: CallerCheck, ruled: readonly Ruled[]): CheckResult {
  const { id, clauses, title, decides } = check;
  const { level } = CLAUSES[clauses[0]];
  // The reason why a scenario that can exercise the check did not is the one to report.
  const rank = ({ timeline }: Ruled): number => (canExercise(check, timeline) ? 0 : 1);
  const ranked = ruled.toSorted((one, other) => rank(one) - rank(other));
  const tally = tallyOf(ranked.map(({ ruling }) => ({ ruling, trial: { exchanges: [] } })));
  const shown = shownBy(tally, ruled);
  return {
    id,
    clauses,
    level,
    title,
    ...verdictOfAll(tally, level),
    ...dutyResults(decides, tally, (of) => verdictOfAll(of, level)),
    ...(tally.failures.length > 0 && { hint: adviceOn(id, shown) }),
    exchanges: ruled.reduce((sum, { timeline: { requests } }) => sum + requests.length, 0),
    failures: failureKinds(tally.failures),
    evidence: shown.map(callerEvidence),
  };
}

/** Judges a caller by each check: all scenarios together, and each alone, in the order of the timelines. */
export function judgeCaller(timelines: readonly Timeline[], checks: readonly CallerCheck[]) {
  const judged = checks.map((check) => ({
    check,
    ruled: timelines.map((timeline): Ruled => ({ timeline, ruling: ruledOn(check, timeline) })),
  }));
  return {
    checks: judged.map(({ check, ruled }) => resultOf(check, ruled)),
    scenarios: timelines.map((_, place) =>
      judged.map(({ check, ruled }) => {
        const { id, verdict, reason } = resultOf(check, ruled.slice(place, place + 1));
        return { check: id, verdict, reason };
      }),
    ),
  };
}
