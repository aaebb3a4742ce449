import { isDeepStrictEqual } from 'node:util';
import type { Level } from '../../../fixtures/clauses/clauses.ts';
import type { JudgedTrial, Recording } from '../journal/recording.ts';
import type { RecordedCriterion } from '../model/entry-schema.ts';
import { isWithheldCounterpart } from '../model/exchange.ts';
import {
  type AnyDuties,
  decidedDuties,
  type Finding,
  inconclusive,
  isSameFailure,
  kindOf,
  kindText,
  notExercised,
  notSent,
  type Ruling,
  type RulingOrError,
  saysNotSent,
} from '../model/ruling.ts';
import { type DrawnInput, exchangesOf, type Trial } from '../model/stimulus.ts';
import type { CheckResult, FailureKind } from '../model/summary.ts';
import type { Profile } from '../model/target.ts';
import { deathIn } from '../sending/lifeline.ts';
import { answerTimes } from './spent.ts';

/** How a check or an invariant ruled on a trial; an Error is a failure of ours. */
export interface Ruled {
  readonly ruling: RulingOrError;
  readonly trial: Trial;
}

/** A trial in which a judgement found a violation, or an observation is not as it is pinned. */
export interface Failure {
  readonly finding: Finding;
  readonly trial: Trial;
  /** Of one that was simplified: what was drawn for it at first. */
  readonly original?: DrawnInput | undefined;
}

/** The rulings on one check, counted: how often it held, every failure, and why it could not be judged elsewhere. */
export type Tally = ReturnType<typeof tallyOf>;

/** `heldElsewhere`: how often it held on exchanges that are not known. */
export function tallyOf(ruled: readonly Ruled[], pins: Profile['pins'] = {}, heldElsewhere = 0) {
  const of = <Kind extends Ruling['kind']>(kind: Kind) =>
    ruled.flatMap(({ ruling, trial }) =>
      !(ruling instanceof Error) && isOf(ruling, kind) ? { ruling, trial } : [],
    );
  const whole = ruled.filter(({ ruling }) => !(ruling instanceof Error));
  const [held, idle, doubts] = [of('holds'), of('not-exercised'), of('inconclusive')];
  const observations = of('observed').flatMap(({ ruling, trial }) =>
    ruling.observations.map((observation) => ({ ...observation, trial })),
  );
  const pinned = observations.filter(({ point }) => Object.hasOwn(pins, point));
  return {
    ruled,
    pins,
    broken: ruled.map(({ ruling }) => ruling).find((ruling) => ruling instanceof Error),
    exchanges: whole.reduce((sum, { trial }) => sum + trial.exchanges.length, heldElsewhere),
    /** Milliseconds that their answers took together. */
    durationMs: answerTimes(whole.flatMap(({ trial }) => trial.exchanges)),
    held: held.length + heldElsewhere,
    /** Answers in which what the check asks for may stand under a name that is not known. */
    unreadable: idle.filter(({ ruling, trial }) => ruling.hint !== undefined && trial.exchanges.length > 0)
      .length,
    failures: of('violated').map(({ ruling, trial }): Failure => ({ finding: ruling.finding, trial })),
    observations,
    isPinned: pinned.length > 0,
    drifts: pinned
      .filter(({ point, value }) => !isDeepStrictEqual(pins[point], value))
      .map(({ point, value, trial }): Failure => {
        const expected = `${JSON.stringify(pins[point])}, as the profile pins it`;
        return { trial, finding: { code: 'drift', path: point, expected, actual: JSON.stringify(value) } };
      }),
    // A hint says most, and what a cap left out more than that some draws did not exercise the clause.
    notExercised: (
      idle.find(({ ruling }) => ruling.hint) ??
      idle.find(({ ruling }) => saysNotSent(ruling.reason)) ??
      idle[0]
    )?.ruling,
    inconclusive: doubts[0]?.ruling.reason,
  };
}

function isOf<K extends Ruling['kind']>(ruling: Ruling, kind: K): ruling is Extract<Ruling, { kind: K }> {
  return ruling.kind === kind;
}

/** Whether some of a draw's requests were not sent. A withheld counterpart is not missed. */
export function isCut({ exchanges }: Trial): boolean {
  return exchanges.some((each) => each.outcome.kind === 'not-sent' && !isWithheldCounterpart(each));
}

/** The failures of each kind, in the order in which each was first seen. */
function byKind(failures: readonly Failure[]): readonly (readonly Failure[])[] {
  return [...Map.groupBy(failures, ({ finding }) => kindText(finding)).values()];
}

export function failureKinds(failures: readonly Failure[]): readonly FailureKind[] {
  return byKind(failures).flatMap((same) =>
    same.slice(0, 1).map(({ finding }) => ({ ...kindOf(finding), trials: same.length })),
  );
}

export function firstOfEachKind(failures: readonly Failure[]): readonly Failure[] {
  return byKind(failures).flatMap((same) => same.slice(0, 1));
}

/** What reports show evidence for: the first of each kind, and not too many. */
export function evident(failures: readonly Failure[]): readonly Failure[] {
  return firstOfEachKind(failures).slice(0, 3);
}

/** The shortest request first. */
export function bySize(a: Failure, b: Failure): number {
  const size = ({ trial }: Failure): number => trial.exchanges[0]?.request.body?.length ?? 0;
  return size(a) - size(b);
}

export interface JudgedCriterion {
  readonly of: RecordedCriterion;
  readonly isInvariant: boolean;
  readonly tally: Tally;
  /** The draws that it ruled on; of an invariant none. */
  readonly draws: readonly JudgedTrial[];
  /** Every violation, and every observation that is not as it is pinned. */
  readonly failed: readonly Failure[];
}

/** What a run found: its checks, and then its invariants. */
export type Findings = ReturnType<typeof findingsIn>;

export function findingsIn(recording: Recording) {
  const { run, trials, record } = recording;
  const death = deathIn(record);
  const rulings = trials.flatMap((each) => {
    // What it answered from its end on says nothing of the requests.
    const isLate = exchangesOf(each.trial).some(({ id }) => death?.failed.has(id));
    const late = death && isLate && inconclusive(death.line);
    return Object.entries(each.entry.rulings).map(([id, ruling]) => ({
      ...each,
      id,
      ruling: late || ruling,
    }));
  });
  const byCheck = Map.groupBy(rulings, ({ id }) => id);
  return {
    recording,
    /** What was begun. Where a stimulus could not be drawn, its name stands in place of an ID. */
    draws: trials.filter((each) => isDraw(each) && each.entry.id !== each.entry.stimulus),
    judged: [
      ...run.checks.map((of) => judgedCheck(of, byCheck.get(of.id) ?? [], recording)),
      ...run.invariants.map((of) => judgedInvariant(of, recording)),
    ],
  };
}

/** Whether it is a draw of the plan, and not of the search for simpler failures. */
function isDraw({ entry }: JudgedTrial): boolean {
  return entry.simplifies === undefined;
}

/** `ruled`: in the order of the plan. */
function judgedCheck(of: RecordedCriterion, ruled: readonly (Ruled & JudgedTrial)[], recording: Recording) {
  const [draws, simpler] = [ruled.filter(isDraw), ruled.filter((each) => !isDraw(each))];
  const tally = tallied(draws, recording, whyUnjudged(recording, draws));
  const [first, ...others] = tally.failures;
  // The simplest form of the first failure stands in for it.
  const simplest =
    first && tallyOf(simpler).failures.findLast(({ finding }) => isSameFailure(finding, first.finding));
  const failures = simplest ? [{ ...simplest, original: first.trial.input }, ...others] : tally.failures;
  return judged(of, { ...tally, failures }, draws);
}

function judgedInvariant(of: RecordedCriterion, recording: Recording): JudgedCriterion {
  const { held, rulings = [] } = recording.invariants.find(({ id }) => id === of.id) ?? {};
  const exchanges = new Map(rulings.length === 0 ? [] : recording.record.map((each) => [each.id, each]));
  const others = rulings.flatMap(([id, ruling]) => {
    const exchange = exchanges.get(id);
    return exchange === undefined ? [] : { ruling, trial: { exchanges: [exchange] } };
  });
  const tally = tallied(others, recording, whyUnjudged(recording), held);
  // Invariants do not shrink: the shortest failing request stands in for the simplest one.
  return judged(of, { ...tally, failures: tally.failures.toSorted(bySize) });
}

function judged(of: RecordedCriterion, tally: Tally, draws?: readonly JudgedTrial[]): JudgedCriterion {
  const failed = [...tally.failures, ...tally.drifts];
  return { of, isInvariant: draws === undefined, tally, draws: draws ?? [], failed };
}

/** `idle`: the ruling on why nothing was judged, where nothing was. */
function tallied(ruled: readonly Ruled[], { run }: Recording, idle?: Ruling, held?: number): Tally {
  const { pins } = run.target.profile;
  const tally = tallyOf(ruled, pins, held);
  if (idle === undefined || tally.exchanges > 0) return tally;
  return tallyOf([...ruled, { ruling: idle, trial: { exchanges: [] } }], pins);
}

/** `draws`: those of a check. */
function whyUnjudged({ info, finished }: Recording, draws?: readonly JudgedTrial[]): Ruling | undefined {
  if (finished === undefined) return notExercised('the run was killed before it got to this');
  if (info === undefined) return notExercised('the run could not begin');
  return finished.unsent !== undefined && draws?.length === 0 ? notSent(finished.unsent) : undefined;
}

/** The reason is empty only for `pass`. */
export type VerdictWithReason = Pick<CheckResult, 'verdict' | 'reason' | 'hint'>;

/** `isOwn`: the user declared the check. */
export function verdictOf(tally: Tally, level: Level, isOwn = false): VerdictWithReason {
  const { broken, held, unreadable, failures, drifts, observations } = tally;
  if (broken !== undefined) return { verdict: 'error', reason: thrown(broken, isOwn) };
  const [failure] = failures;
  if (failure !== undefined) {
    if (level === 'open') return { verdict: 'error', reason: 'internal error: an open point was asserted' };
    const { expected, actual } = failure.finding;
    const count = `${failures.length} of ${failures.length + held} trials`;
    const reason = `expected ${expected}; got ${actual} (${count})`;
    return { verdict: level === 'convention' ? 'warn' : 'fail', reason };
  }
  const [drift] = drifts;
  if (drift !== undefined) {
    const { path = '', actual } = drift.finding;
    const pinned = JSON.stringify(tally.pins[path]);
    return { verdict: 'fail', reason: `the profile pins ${path} to ${pinned}; got ${actual}` };
  }
  const { reason = 'the run got no answer of the kind that this check judges', hint } =
    tally.notExercised ?? {};
  const hinted = hint === undefined ? {} : { hint };
  // What holds of the few answers that could be read says little of the others.
  if (held > 0 && unreadable > held) {
    const read = `${held} passed, ${unreadable} could not be read`;
    return { verdict: 'inconclusive', reason: `${read}, since ${reason}`, ...hinted };
  }
  if (held > 0 || tally.isPinned) return { verdict: 'pass', reason: '' };
  if (observations.length > 0) return { verdict: 'observed', reason: 'the specification leaves it open' };
  if (tally.inconclusive !== undefined) return { verdict: 'inconclusive', reason: tally.inconclusive };
  return { verdict: 'not-exercised', reason, ...hinted };
}

/** A file and a line, which end a line of a stack trace. */
const PLACE = /^([^:?]+\.\w+)(?:\?.*)?:(\d+):\d+$/;

/** What threw: a failure of ours; or the user's, in a check that the user declared, with the line that threw it. */
function thrown({ name, message, stack = '' }: Error, isOwn: boolean): string {
  if (!isOwn) return `internal error: ${name}: ${message}`;
  // What a message quotes in the middle of a line is no place of theirs.
  const ends = stack.split('\n').map(
    (frame) =>
      frame
        .replace(/\)$/, '')
        .split(/[/\\\s(]/)
        .at(-1) ?? '',
  );
  const [, file, line] = ends.flatMap((end) => PLACE.exec(end) ?? []);
  const where = file === undefined ? '' : ` (${file}:${line})`;
  return `your check threw ${name}: ${message}${where}`;
}

/** What a check says of each duty that it decides, judged as the check itself: by the trials that bear on it. */
export function dutyResults(
  decides: AnyDuties | undefined,
  tally: Tally,
  judge: (of: Tally) => VerdictWithReason,
) {
  if (decides === undefined) return {};
  const duties = decidedDuties(decides);
  if (typeof duties === 'string') return { duties: [dutyResult(duties, judge(tally))] };
  const bearing = (duty: string) =>
    tally.ruled.filter(({ ruling }) => 'duties' in ruling && ruling.duties?.includes(duty));
  // Where nothing bore on any of them, the check says why.
  const isSeen = tally.held > 0 || duties.some((duty) => bearing(duty).length > 0);
  const unseen = isSeen ? NOTHING_BORE_ON_IT : judge(tally);
  return {
    duties: duties.map((duty) => {
      const ruled = bearing(duty);
      return dutyResult(duty, ruled.length === 0 ? unseen : judge(tallyOf(ruled, tally.pins)));
    }),
  };
}

const NOTHING_BORE_ON_IT = { verdict: 'not-exercised', reason: 'no exchange tested it' } as const;

function dutyResult(duty: string, { verdict, reason }: VerdictWithReason) {
  return { duty, verdict, reason };
}
