import { isWithheldCounterpart } from '../model/exchange.ts';
import { type Finding, kindOf, kindText, type Observation, type Ruling } from '../model/ruling.ts';
import type { Trial, DrawnInput } from '../model/stimulus.ts';
import type { FailureKind } from '../model/summary.ts';
import { answerTimes } from './spent.ts';

/** How a check or an invariant ruled on a trial; an Error is a failure of ours. */
export interface Ruled {
  readonly ruling: Ruling | Error;
  readonly trial: Trial;
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

/** `heldElsewhere`: how often it held on exchanges that are not known. */
export function tallyOf(ruled: readonly Ruled[], heldElsewhere = 0) {
  const of = <Kind extends Ruling['kind']>(kind: Kind) =>
    ruled.flatMap(({ ruling, trial }) =>
      !(ruling instanceof Error) && isOf(ruling, kind) ? { ruling, trial } : [],
    );
  const judged = ruled.filter(({ ruling }) => !(ruling instanceof Error));
  const [held, idle, doubts] = [of('holds'), of('not-exercised'), of('inconclusive')];
  return {
    ruled,
    broken: ruled.map(({ ruling }) => ruling).find((ruling) => ruling instanceof Error),
    exchanges: judged.reduce((sum, { trial }) => sum + trial.exchanges.length, heldElsewhere),
    /** Milliseconds that their answers took together. */
    durationMs: answerTimes(judged.flatMap(({ trial }) => trial.exchanges)),
    held: held.length + heldElsewhere,
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
  return byKind(failures).flatMap((same) =>
    same.slice(0, 1).map(({ finding }) => ({ ...kindOf(finding), trials: same.length })),
  );
}

export function firstOfEachKind<F extends Failure>(failures: readonly F[]): readonly F[] {
  return byKind(failures).flatMap((same) => same.slice(0, 1));
}

function byKind<F extends Failure>(failures: readonly F[]): readonly (readonly F[])[] {
  return [...Map.groupBy(failures, ({ finding }) => kindText(finding)).values()];
}
