import { isWithheldCounterpart } from '../model/exchange.ts';
import type { DrawnInput } from '../model/remembered.ts';
import type { Finding, Observation, Ruling } from '../model/ruling.ts';
import type { Trial } from '../model/stimulus.ts';
import type { FailureKind } from '../model/summary.ts';
import { answerTimes } from './latency.ts';

/** A trial in which a judgement found a violation. */
export interface Failure {
  readonly finding: Finding;
  readonly trial: Trial;
  /** Of one that was simplified: what was drawn for it at first. */
  readonly original?: DrawnInput;
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
export class Tally {
  exchanges = 0;
  /** Milliseconds that their answers took together. */
  durationMs = 0;
  held = 0;
  /** What was drawn for the trials in which it held. */
  readonly heldOn: DrawnInput[] = [];
  /** What was drawn for the trials that bear on it, and show nothing. */
  readonly doubtedOn: DrawnInput[] = [];
  /** Answers in which what the check asks for may stand under a name that is not known. */
  unreadable = 0;
  /** How many inputs were sent, and how many examples there are. */
  readonly inputs = { tried: 0, of: 0 };
  /** How many inputs were not sent whole: a cap was reached, or the run was halted. */
  cut = 0;
  /** Why their requests were not sent. */
  readonly cutFor = new Set<string>();
  readonly failures: Failure[] = [];
  readonly observations: TrialObservation[] = [];
  /** The first reason of each kind is the one reported, one with a hint before one without. */
  notExercised: { readonly reason: string; readonly hint?: string } | undefined;
  inconclusive: string | undefined;
  broken: Error | undefined;
  /** The rulings on the trials that bear on each duty, of a check that decides several. */
  readonly duties = new Map<string, Tally>();

  /** What was drawn for the trials that it decided on. */
  get decidedOn(): readonly DrawnInput[] {
    const others = [...this.observations, ...this.failures].flatMap(({ trial }) => trial.input ?? []);
    return [...this.heldOn, ...others, ...this.failures.flatMap(({ original }) => original ?? [])];
  }

  /** Counts an input as tried, unless some of its requests were not sent, or the number of examples is unknown. */
  addInput(trial: Trial, exampleCount: number | undefined): void {
    if (isCut(trial)) {
      this.cut += 1;
      for (const { outcome } of trial.exchanges)
        if (outcome.kind === 'not-sent') this.cutFor.add(outcome.reason);
    }
    if (exampleCount === undefined || isCut(trial)) return;
    this.inputs.tried += 1;
    this.inputs.of = Math.max(this.inputs.of, exampleCount);
  }

  add(ruling: Ruling | Error, trial: Trial): void {
    if (ruling instanceof Error) {
      this.broken ??= ruling;
      return;
    }
    this.exchanges += trial.exchanges.length;
    this.durationMs += answerTimes(trial.exchanges);
    const { duties = [], ...alone } = ruling;
    for (const duty of duties) this.#addTo(duty, alone, trial);
    switch (ruling.kind) {
      case 'holds':
        this.held += 1;
        if (trial.input !== undefined) this.heldOn.push(trial.input);
        return;
      case 'violated':
        this.failures.push({ finding: ruling.finding, trial });
        return;
      case 'observed':
        for (const observation of ruling.observations) this.observations.push({ ...observation, trial });
        return;
      case 'not-exercised':
        if (ruling.hint !== undefined && trial.exchanges.length > 0) this.unreadable += 1;
        // A hint says more than that some draws did not exercise the clause.
        if (this.notExercised === undefined || (ruling.hint && !this.notExercised.hint))
          this.notExercised = ruling;
        return;
      case 'inconclusive':
        this.inconclusive ??= ruling.reason;
        if (trial.input !== undefined) this.doubtedOn.push(trial.input);
    }
  }

  #addTo(duty: string, ruling: Ruling, trial: Trial): void {
    const tally = this.duties.get(duty) ?? new Tally();
    this.duties.set(duty, tally);
    tally.add(ruling, trial);
  }
}

/** The results of the draws of a run. */
export interface DrawCounts {
  readonly begun: number;
  /** Begun, and some of its requests were not sent. */
  readonly cut: number;
}

/** Whether some of a draw's requests were not sent. A withheld counterpart is not missed. */
export function isCut({ exchanges }: Trial): boolean {
  return exchanges.some((each) => each.outcome.kind === 'not-sent' && !isWithheldCounterpart(each));
}

/** Every kind of failure, in the order in which each was first seen. */
export function failureKinds(failures: readonly Failure[]): readonly FailureKind[] {
  return byKind(failures).flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { code, path } = first.finding;
    return { code, ...(path !== undefined && { path }), trials: 1 + more.length };
  });
}

export function firstOfEachKind(failures: readonly Failure[]): readonly Failure[] {
  return byKind(failures).flatMap(([first]) => first ?? []);
}

function byKind(failures: readonly Failure[]): readonly (readonly Failure[])[] {
  const kinds = Map.groupBy(failures, ({ finding }) => `${finding.code} ${finding.path ?? ''}`);
  return [...kinds.values()];
}
