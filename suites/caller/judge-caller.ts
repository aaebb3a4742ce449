import { CLAUSES, type ClauseId, type Level } from '../../fixtures/clauses/clauses.ts';
import { type Decides, withDuties } from '../kit/model/duty.ts';
import { notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CheckResult, Evidence, ScenarioResult } from '../kit/model/summary.ts';
import { verdictOf, type VerdictWithReason } from '../kit/summary/check-verdict.ts';
import { dutyResults } from '../kit/summary/duty-results.ts';
import { failureKinds, Tally } from '../kit/summary/tally.ts';
import { callerEvidence } from './observed/evidence.ts';
import type { Timeline } from './observed/timeline.ts';

/** The ruling that counts where a scenario gave several: what is wrong or in doubt comes before what holds. */
export function worstOf(rulings: readonly Ruling[]): Ruling | undefined {
  const inOrder = (['violated', 'inconclusive', 'holds'] as const).flatMap(
    (kind) => rulings.find((ruling) => ruling.kind === kind) ?? [],
  );
  return inOrder[0] ?? rulings[0];
}

/** The same of all scenarios: one that leaves a doubt is not outweighed by those that hold. */
function verdictOfAll(tally: Tally, level: Level): VerdictWithReason {
  const whole = verdictOf(tally, level, {});
  return whole.verdict === 'pass' && tally.inconclusive !== undefined
    ? { verdict: 'inconclusive', reason: tally.inconclusive }
    : whole;
}

const MOST_EVIDENCE = 3;

/** The first of each kind: the same finding in another scenario adds nothing. */
function distinct(evidence: readonly Evidence[]): readonly Evidence[] {
  const kinds = Map.groupBy(evidence, ({ finding }) => finding.code);
  return [...kinds.values()].flatMap(([first]) => first ?? []).slice(0, MOST_EVIDENCE);
}

/** The reason of every check if the caller sent nothing. */
export const NOTHING_SENT = 'the caller sent no request';

/** What a scenario would show shows nothing if its fault met no request. */
function exercised(ruling: Ruling, { unmet }: Timeline, isBearing: boolean): Ruling {
  const isUnfounded = ruling.kind === 'holds' || ruling.kind === 'not-exercised';
  return isUnfounded && isBearing && unmet !== undefined ? notExercised(unmet) : ruling;
}

function ruled(
  check: CallerCheck,
  timeline: Timeline,
  run: readonly Timeline[],
  bearing: ReadonlySet<string>,
): Ruling | Error {
  if (!timeline.requests.some(({ place }) => place === 'service')) return notExercised(NOTHING_SENT);
  try {
    const ruling = exercised(check.judge(timeline, run), timeline, bearing.has(timeline.scenario));
    return withDuties(ruling, check.decides, timeline);
  } catch (error) {
    return error instanceof Error ? error : new Error('something other than an Error was thrown');
  }
}

interface Ruled {
  readonly timeline: Timeline;
  readonly ruling: Ruling | Error;
}

function resultOf(check: CallerCheck, rulings: readonly Ruled[], bearing: ReadonlySet<string>): CheckResult {
  const { id, clauses, title, remedy } = check;
  const level = CLAUSES[clauses[0]].level;
  const tally = new Tally();
  const isBearing = ({ timeline }: Ruled): number => Number(bearing.has(timeline.scenario));
  // The reason why a scenario that can exercise the check did not is the one to report.
  for (const { ruling } of rulings.toSorted((one, other) => isBearing(other) - isBearing(one)))
    tally.add(ruling, { exchanges: [] });
  const violations = rulings.flatMap(({ timeline, ruling }) =>
    !(ruling instanceof Error) && ruling.kind === 'violated' ? [{ timeline, finding: ruling.finding }] : [],
  );
  const exchanges = rulings.reduce((sum, { timeline: { requests } }) => sum + requests.length, 0);
  return {
    id,
    clauses,
    level,
    title,
    ...verdictOfAll(tally, level),
    ...dutyResults(check.decides, tally, (of) => verdictOfAll(of, level)),
    ...(violations.length > 0 && remedy !== undefined && { hint: remedy }),
    exchanges,
    failures: failureKinds(tally.failures),
    evidence: distinct(violations.map(({ timeline, finding }) => callerEvidence(timeline, finding))),
  };
}

/** The rulings on one scenario, as verdicts. */
function scenarioVerdict(check: CallerCheck, { ruling }: Ruled): ScenarioResult['verdicts'][number] {
  const tally = new Tally();
  tally.add(ruling, { exchanges: [] });
  const { verdict, reason } = verdictOf(tally, CLAUSES[check.clauses[0]].level, {});
  return { check: check.id, verdict, reason };
}

export interface CallerVerdicts {
  readonly checks: readonly CheckResult[];
  /** What each check says of each scenario, in the order of the timelines. */
  readonly scenarios: readonly ScenarioResult['verdicts'][];
}

/** Judges a caller by each check, all scenarios together; `bearing`: the scenarios that can exercise a check. */
export function judgeCaller(
  timelines: readonly Timeline[],
  checks: readonly CallerCheck[],
  bearing: (check: CallerCheck) => readonly string[],
): CallerVerdicts {
  const judged = checks.map((check) => {
    const names = new Set(bearing(check));
    const rulings = timelines.map((timeline) => ({
      timeline,
      ruling: ruled(check, timeline, timelines, names),
    }));
    return { check, rulings, result: resultOf(check, rulings, names) };
  });
  return {
    checks: judged.map(({ result }) => result),
    scenarios: timelines.map((_, index) =>
      judged.flatMap(({ check, rulings }) => {
        const one = rulings[index];
        return one === undefined ? [] : [scenarioVerdict(check, one)];
      }),
    ),
  };
}

/** What mends a client whose settings are not those of the tested configuration. */
export const CLIENT_SETTINGS =
  'in the openai client: `maxRetries: 0`, `timeout: 120000`, and a fresh Idempotency-Key among the `headers` of each call; for other clients see docs/callers.md';

/**
 * A check of callers. `judge` is synchronous and pure: from the timeline of one scenario to a ruling. `run` holds the
 * timelines of all scenarios, this one included, in the order in which they were played.
 */
export interface CallerCheck {
  /** Words joined by hyphens; once published it never changes its meaning. */
  readonly id: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** A sentence about the caller, without its subject. */
  readonly title: string;
  /** What usually mends a failure. */
  readonly remedy?: string;
  /** Of its duties: one, or for each whether what happened to the caller bears on it. */
  readonly decides?: Decides<Timeline>;
  readonly judge: (timeline: Timeline, run: readonly Timeline[]) => Ruling;
}
