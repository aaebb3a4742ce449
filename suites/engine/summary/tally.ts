import { isWithheldCounterpart } from '../model/exchange.ts';
import { type Finding, kindOf, kindText, type Observation, type Ruling } from '../model/ruling.ts';
import type { Trial, DrawnInput } from '../model/stimulus.ts';
import type { FailureKind } from '../model/summary.ts';
import { answerTimes } from './latency.ts';

/** How a check or an invariant ruled on a trial; an Error is a failure of ours. */
export interface Ruled {
  readonly ruling: Ruling | Error;
  readonly trial: Trial;
  /** Present: how often it ruled so on exchanges that are not known. */
  readonly times?: number;
}

/** A trial in which a judgement found a violation. */
export interface Failure {
  readonly finding: Finding;
  readonly trial: Trial;
  /** Of one that was simplified: what was drawn for it at first. */
  readonly original?: DrawnInput | undefined;
}

/** The shortest request first. */
export function bySize(a: Failure, b: Failure): number {
  const size = ({ trial }: Failure): number => trial.exchanges[0]?.request.body?.length ?? 0;
  return size(a) - size(b);
}

export interface TrialObservation extends Observation {
  readonly trial: Trial;
}

/** The rulings on one check, counted: how often it held, every failure, and why it could not be judged elsewhere. */
export type Tally = ReturnType<typeof tallyOf>;

export function tallyOf(ruled: readonly Ruled[]) {
  const judged = ruled.flatMap(({ ruling, ...of }) => (ruling instanceof Error ? [] : { ruling, ...of }));
  const of = <Kind extends Ruling['kind']>(kind: Kind) =>
    judged.flatMap(({ ruling, ...each }) => (isOf(ruling, kind) ? { ruling, ...each } : []));
  const [held, idle, doubts] = [of('holds'), of('not-exercised'), of('inconclusive')];
  return {
    ruled,
    broken: ruled.map(({ ruling }) => ruling).find((ruling) => ruling instanceof Error),
    exchanges: sum(judged.map(({ trial, times }) => times ?? trial.exchanges.length)),
    /** Milliseconds that their answers took together. */
    durationMs: sum(judged.map(({ trial }) => answerTimes(trial.exchanges))),
    held: sum(held.map(({ times = 1 }) => times)),
    heldOn: drawnFor(held),
    /** What was drawn for the trials that bear on it, and show nothing. */
    doubtedOn: drawnFor(doubts),
    /** Answers in which what the check asks for may stand under a name that is not known. */
    unreadable: idle.filter(({ ruling, trial }) => ruling.hint !== undefined && trial.exchanges.length > 0)
      .length,
    failures: of('violated').map(({ ruling, trial }): Failure => ({ finding: ruling.finding, trial })),
    observations: of('observed').flatMap(({ ruling, trial }) =>
      ruling.observations.map((observation): TrialObservation => ({ ...observation, trial })),
    ),
    // A hint says more than that some draws did not exercise the clause.
    notExercised: (idle.find(({ ruling }) => ruling.hint) ?? idle[0])?.ruling,
    inconclusive: doubts[0]?.ruling.reason,
  };
}

function isOf<Kind extends Ruling['kind']>(
  ruling: Ruling,
  kind: Kind,
): ruling is Extract<Ruling, { kind: Kind }> {
  return ruling.kind === kind;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function drawnFor(all: readonly { readonly trial: Trial }[]): readonly DrawnInput[] {
  return all.flatMap(({ trial }) => trial.input ?? []);
}

/** What was drawn for the trials that it decided on. */
export function decidedOn({ heldOn, observations, failures }: Tally): readonly DrawnInput[] {
  const originals = failures.flatMap(({ original }) => original ?? []);
  return [...heldOn, ...drawnFor(observations), ...drawnFor(failures), ...originals];
}

/** Whether some of a draw's requests were not sent. A withheld counterpart is not missed. */
export function isCut({ exchanges }: Trial): boolean {
  return exchanges.some((each) => each.outcome.kind === 'not-sent' && !isWithheldCounterpart(each));
}

/** Every kind of failure, in the order in which each was first seen. */
export function failureKinds(failures: readonly Failure[]): readonly FailureKind[] {
  return byKind(failures).map((same) => ({ ...kindOf(same[0].finding), trials: same.length }));
}

export function firstOfEachKind<F extends Failure>(failures: readonly F[]): readonly F[] {
  return byKind(failures).map(([first]) => first);
}

function byKind<F extends Failure>(failures: readonly F[]): readonly [F, ...F[]][] {
  const kinds = Map.groupBy(failures, ({ finding }) => kindText(finding));
  return [...kinds.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, ...more] satisfies [F, ...F[]]],
  );
}
