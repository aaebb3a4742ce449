import type { Check } from '../check.ts';
import { notExercised, type Ruling } from '../ruling.ts';
import type { RunOptions } from '../run.ts';
import type { Wire } from '../sending/wire.ts';
import type { Stage, Stimulus } from '../stimulus.ts';
import type { Survey } from '../survey.ts';
import { asError } from './as-error.ts';
import { type Draw, drawsOf } from './draw.ts';
import { inTurns } from './in-turns.ts';
import { judgeDraw, type JudgedDraw } from './judge-draw.ts';
import { shrink } from './shrink.ts';
import { Tally } from './tally.ts';
import { unjudgeable } from './unjudgeable.ts';

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
    const total = draws.length;
    const together = draws.filter((draw) => draw.stimulus.alone !== true);
    const alone = draws.filter((draw) => draw.stimulus.alone === true);
    const judged = new Map<Draw, JudgedDraw>();
    await this.#send(together, this.#options.concurrency, total, judged);
    await this.#send(alone, 1, total, judged);
    // Counted in the order of the plan, so that no order of arrival shows in a report.
    for (const draw of draws) this.#count(judged.get(draw));
  }

  /** Looks for the simplest failure of each check, one after the other. */
  async shrinkFailures(): Promise<void> {
    for (const [check, tally] of this.tallies) {
      const [failure] = tally.failures;
      if (failure === undefined || this.#interrupted) continue;
      const attempts = SHRINK_ATTEMPTS[this.#options.target.kind];
      tally.failures[0] = await shrink(failure, attempts, async (draw, attempt) => {
        const trial = await draw.send(this.#wire.sender(`${failure.draw?.id}~${attempt}`), this.#survey);
        const ruling = unjudgeable(trial, this.#wire) ?? check.holds(trial, this.#survey);
        return { trial, ruling };
      });
    }
  }

  get #interrupted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  #plan(stimulus: Stimulus): readonly Draw[] {
    const { seed, runs } = this.#options;
    const lacking = this.#forbidden(stimulus.stage) ?? stimulus.lacks?.(this.#survey);
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

  #forbidden(stage: Stage): string | undefined {
    // What needs the control URL says so itself.
    if (stage === 'free' || stage === 'paid' || stage === 'control') return undefined;
    if (this.#options.allow.has(stage)) return undefined;
    return `it is ${stage}: give leave with --allow ${stage}`;
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
    for (const [check, ruling] of judged.rulings) this.#noteFailure(check, ruling);
    return judged;
  }

  #noteFailure(check: Check, ruling: Ruling | Error): void {
    if (ruling instanceof Error || ruling.kind !== 'violated') return;
    this.#failed.set(check, (this.#failed.get(check) ?? 0) + 1);
  }

  #rule(stimulus: Stimulus, ruling: Ruling | Error): void {
    const draws = this.#checksOf.get(stimulus) ?? [];
    for (const check of draws) this.tallies.get(check)?.add(ruling, { exchanges: [] });
  }

  #count(judged: JudgedDraw | undefined): void {
    if (judged === undefined) return;
    for (const [check, ruling] of judged.rulings)
      this.tallies.get(check)?.add(ruling, judged.trial, judged.draw);
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
