import type { Draw } from '../drawing/draw.ts';
import { isCut } from '../drawing/draw-counts.ts';
import type { Finding, Observation, Ruling } from './ruling.ts';
import type { Trial } from './trial.ts';

/** A trial that a judgement found wanting. */
export interface Failure {
  readonly finding: Finding;
  readonly trial: Trial;
  /** What provoked it; undefined for an invariant, which no single stimulus provokes. */
  readonly draw?: Draw;
}

/** An observation, and what showed it. */
export interface TrialObservation extends Observation {
  readonly trial: Trial;
}

/** What became of one check: how often it held, every failure, and why it could not be judged where it could not. */
export class Tally {
  exchanges = 0;
  held = 0;
  /** How many inputs were sent, and how many there are that must be tried. */
  readonly inputs = { tried: 0, of: 0 };
  readonly failures: Failure[] = [];
  readonly observations: TrialObservation[] = [];
  /** The first reason of each kind is the one reported, one with a hint before one without. */
  notExercised: { readonly reason: string; readonly hint?: string } | undefined;
  inconclusive: string | undefined;
  /** A failure of ours. */
  broken: string | undefined;

  /** One of so many inputs was tried, unless something of it was not sent, or nobody knows of how many. */
  addInput(trial: Trial, among: number | undefined): void {
    if (among === undefined || isCut(trial)) return;
    this.inputs.tried += 1;
    this.inputs.of = Math.max(this.inputs.of, among);
  }

  add(ruling: Ruling | Error, trial: Trial, draw?: Draw): void {
    if (ruling instanceof Error) {
      this.broken ??= `${ruling.name}: ${ruling.message}`;
      return;
    }
    this.exchanges += trial.exchanges.length;
    switch (ruling.kind) {
      case 'holds':
        this.held += 1;
        return;
      case 'violated':
        this.failures.push({ finding: ruling.finding, trial, ...(draw !== undefined && { draw }) });
        return;
      case 'observed':
        for (const observation of ruling.observations) this.observations.push({ ...observation, trial });
        return;
      case 'not-exercised':
        // What says how to change it tells more than that some draws did not bear on it.
        if (this.notExercised === undefined || (ruling.hint && !this.notExercised.hint))
          this.notExercised = ruling;
        return;
      case 'inconclusive':
        this.inconclusive ??= ruling.reason;
    }
  }
}
