import type { Check } from '../check.ts';
import { trialEntry } from '../journal/trial-entry.ts';
import { inconclusive, notExercised, type Ruling } from '../ruling.ts';
import type { RunOptions } from '../run.ts';
import type { Wire } from '../sending/wire.ts';
import type { Stage, Stimulus } from '../stimulus.ts';
import type { Simplification } from '../journal/entry.ts';
import type { Survey } from '../survey.ts';
import type { Trial } from '../trial.ts';
import { asError } from './as-error.ts';
import { type Draw, drawsOf } from './draw.ts';
import { inTurns } from './in-turns.ts';
import { judgeDraw, type JudgedDraw } from './judge-draw.ts';
import { shrink } from './shrink.ts';
import { type Failure, Tally } from './tally.ts';
import { withoutLeave } from './without-leave.ts';

/** How many more draws a failure may cost while a simpler one is looked for. */
const SHRINK_ATTEMPTS = { mock: 200, live: 20 } as const;

/** Failures of one check after which a thrifty run asks no more. */
const ENOUGH_FAILURES = 3;

/** The part of a run that sends: stage by stage, and then towards the simplest failures. */
export class SuiteRun {
  readonly tallies: ReadonlyMap<Check, Tally>;
  /** Draws that were not sent because the run was interrupted. */
  unsent = 0;
  readonly #options: RunOptions;
  readonly #wire: Wire;
  readonly #survey: Survey;
  /** How often each check has failed so far. */
  readonly #failed = new Map<Check, number>();
  readonly #checksOf: ReadonlyMap<Stimulus, readonly Check[]>;
  /** The place in the plan of each draw, by its ID. */
  readonly #places = new Map<string, number>();
  #planned = 0;

  constructor(options: RunOptions, wire: Wire, survey: Survey) {
    this.#options = options;
    this.#wire = wire;
    this.#survey = survey;
    this.tallies = new Map(options.checks.map((each) => [each, new Tally()]));
    this.#checksOf = Map.groupBy(options.checks, (each) => each.given);
  }

  /** Sends everything of one stage: side by side what bears it, then alone what must be. */
  async stage(stage: Stage): Promise<void> {
    const plans = [...this.#checksOf.keys()]
      .filter((each) => each.stage === stage)
      .map((each) => this.#plan(each));
    const draws = inTurns(plans);
    for (const { id } of draws) this.#places.set(id, this.#planned++);
    const total = draws.length;
    const together = draws.filter((draw) => draw.stimulus.alone !== true);
    const alone = draws.filter((draw) => draw.stimulus.alone === true);
    const judged = new Map<Draw, JudgedDraw>();
    await this.#send(together, this.#options.concurrency, total, judged);
    await this.#send(alone, 1, total, judged);
    // Counted in the order of the plan, so that no order of arrival shows in a report.
    for (const draw of draws) this.#count(draw, judged.get(draw));
  }

  /** Looks for the simplest failure of each check, one after the other. */
  async shrinkFailures(): Promise<void> {
    for (const [check, tally] of this.tallies) {
      const [failure] = tally.failures;
      if (failure === undefined || this.#interrupted) continue;
      const attempts = SHRINK_ATTEMPTS[this.#options.target.kind];
      tally.failures[0] = await shrink(failure, attempts, (draw, attempt) =>
        this.#retry(check, failure, draw, attempt),
      );
    }
  }

  /** Judges a simpler draw as the check that failed does; what could not be judged leads no further. */
  async #retry(
    check: Check,
    { draw: of }: Failure,
    draw: Draw,
    attempt: number,
  ): Promise<{ readonly trial: Trial; readonly ruling: Ruling }> {
    const id = `${of?.id}~${check.id}~${attempt}`;
    const judged = await judgeDraw(draw, [check], this.#wire, this.#survey, id);
    this.#record(judged, { check: check.id, trial: of?.id ?? '' });
    const [ruling] = judged.rulings.map(([, each]) => each);
    const isJudged = judged.missing === undefined && ruling !== undefined && !(ruling instanceof Error);
    return { trial: judged.trial, ruling: isJudged ? ruling : inconclusive('it could not be judged') };
  }

  /** Asked before every draw: nothing more is sent once the run was interrupted or its journal failed. */
  get #interrupted(): boolean {
    return this.#wire.closed !== undefined;
  }

  #record(judged: JudgedDraw, simplifies?: Simplification): void {
    this.#options.journal?.append(
      trialEntry(judged, this.#places.get(judged.id) ?? this.#planned++, simplifies),
    );
  }

  #plan(stimulus: Stimulus): readonly Draw[] {
    const { seed, runs, allow } = this.#options;
    const lacking = withoutLeave(stimulus.stage, allow) ?? stimulus.lacks?.(this.#survey);
    if (lacking !== undefined) {
      this.#rule(stimulus, notExercised(lacking));
      return [];
    }
    try {
      return drawsOf(stimulus, this.#survey, seed, runs);
    } catch (error) {
      this.#rule(stimulus, asError(error));
      return [];
    }
  }

  async #send(
    draws: readonly Draw[],
    width: number,
    total: number,
    judged: Map<Draw, JudgedDraw>,
  ): Promise<void> {
    const queue = draws[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const draw of queue) {
        if (this.#interrupted) this.unsent += 1;
        else if (!this.#isSettled(draw.stimulus)) judged.set(draw, await this.#judge(draw));
        this.#progress(draw, judged.size, total);
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
  }

  /** Whether every check of a stimulus has failed often enough; more failures would only cost more completions. */
  #isSettled(stimulus: Stimulus): boolean {
    if (!this.#survey.thrifty) return false;
    return (
      this.#checksOf.get(stimulus)?.every((each) => (this.#failed.get(each) ?? 0) >= ENOUGH_FAILURES) ?? true
    );
  }

  async #judge(draw: Draw): Promise<JudgedDraw> {
    const checks = this.#checksOf.get(draw.stimulus) ?? [];
    const judged = await judgeDraw(draw, checks, this.#wire, this.#survey);
    this.#record(judged);
    for (const [check, ruling] of judged.rulings) this.#noteFailure(check, ruling);
    return judged;
  }

  #noteFailure(check: Check, ruling: Ruling | Error): void {
    if (ruling instanceof Error || ruling.kind !== 'violated') return;
    this.#failed.set(check, (this.#failed.get(check) ?? 0) + 1);
  }

  #rule(stimulus: Stimulus, ruling: Ruling | Error): void {
    const checks = this.#checksOf.get(stimulus) ?? [];
    const rulings = checks.map((check) => [check, ruling] as const);
    const { name } = stimulus;
    this.#record({ id: name, stimulus: name, trial: { exchanges: [] }, missing: ruling, rulings });
    for (const check of checks) this.tallies.get(check)?.add(ruling, { exchanges: [] });
  }

  #count(draw: Draw, judged: JudgedDraw | undefined): void {
    if (judged === undefined) return;
    for (const [check, ruling] of judged.rulings) this.tallies.get(check)?.add(ruling, judged.trial, draw);
  }

  #progress({ stimulus }: Draw, done: number, total: number): void {
    const { budget } = this.#wire;
    this.#options.onProgress?.({
      stage: stimulus.stage,
      stimulus: stimulus.name,
      done,
      total,
      spent: budget.spent,
    });
  }
}
