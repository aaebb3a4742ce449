import { type Draw, drawsOf, inTurns } from '../drawing/draws.ts';
import { TrialRecord } from '../journal/write-journal.ts';
import type { Check, JudgedDraw } from '../model/check.ts';
import { isReading, isSendable, WITHHELD } from '../model/cost.ts';
import { notExercised, type Ruling, asError } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import { skipReasonOf, type Stage, type Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import type { BoundedPlan } from '../planning/plan-spending.ts';
import { chatDraft, smallestChat } from '../provoking/chat-drafts.ts';
import { requestFingerprint } from '../sending/sent-request.ts';
import type { Wire } from '../sending/wire.ts';
import { isCut, Tally } from '../summary/tally.ts';
import { judgeDraw } from './judge-draw.ts';

/** Failures of one check after which a thrifty run sends no more for it. */
const ENOUGH_FAILURES = 3;

/** The part of a run that sends: stage by stage, and then towards the simplest failures. */
export class SuiteRun {
  readonly tallies: ReadonlyMap<Check, Tally>;
  /** The draws of each stimulus that were sent, in the order of the plan. */
  readonly sent = new Map<Stimulus, Draw[]>();
  readonly trials: TrialRecord;
  readonly counts = { begun: 0, cut: 0, unsent: 0 };
  readonly #options: RunOptions;
  readonly #plan: BoundedPlan;
  readonly #wire: Wire;
  readonly #info: TargetInfo;
  /** How often each check has failed so far. */
  readonly #failed = new Map<Check, number>();
  /** The end of the latest draw of each stimulus. */
  readonly #latest = new Map<Stimulus, Promise<void>>();
  readonly #checksOf: ReadonlyMap<Stimulus, readonly Check[]>;

  constructor(options: RunOptions, plan: BoundedPlan, wire: Wire, info: TargetInfo) {
    this.#options = options;
    this.trials = new TrialRecord(options.journal);
    this.#plan = plan;
    this.#wire = wire;
    this.#info = info;
    const judged = options.judges === undefined ? options.checks : [];
    this.tallies = new Map(judged.map((each) => [each, new Tally()]));
    this.#checksOf = Map.groupBy(options.checks, (each) => each.given);
  }

  /**
   * Sends everything of one stage: concurrently what may be, then one by one what must be sent alone. The free stage
   * first sends what costs nothing, and then requests the smallest completion alone.
   */
  async stage(stage: Stage): Promise<void> {
    const plans = [...this.#checksOf.keys()]
      .filter((each) => each.stage === stage)
      .map((each) => this.#planned(each));
    const draws = inTurns(plans);
    this.trials.plan(draws);
    const { reading, together, alone } = partsOf(plans, draws, this.#info);
    const done = new Map<Draw, JudgedDraw>();
    const { concurrency } = this.#options;
    await this.#send(reading, concurrency, draws.length, done);
    if (stage === 'free') await this.#smallestFirst(together);
    await this.#send(together, concurrency, draws.length, done);
    await this.#send(alone, 1, draws.length, done);
    // Counted in the order of the plan, so that reports do not depend on the order of arrival.
    for (const draw of draws) this.#count(draw, done.get(draw));
  }

  /** The smallest completion, if any of these draws needs it: if it fails, little was spent. */
  async #smallestFirst(draws: readonly Draw[]): Promise<void> {
    const smallest = chatDraft(smallestChat(this.#info));
    const print = requestFingerprint(smallest);
    const isNeeded = draws.some((draw) =>
      draw.cost(this.#info).counterparts?.some((counterpart) => requestFingerprint(counterpart) === print),
    );
    if (isNeeded && !this.isOver && !this.hasFailedEnough) {
      // A failure of ours is that of every draw that needs it.
      await this.#wire
        .sender('smallest')
        .sendCounterpart(smallest)
        .catch(() => {});
    }
  }

  /** Read before every draw: nothing more is sent once the run was interrupted or its journal failed. */
  get isOver(): boolean {
    return this.#wire.closed !== undefined;
  }

  /** Read before every draw: whether as many checks have failed as the run was allowed. */
  get hasFailedEnough(): boolean {
    const { maxFailures } = this.#options;
    if (maxFailures === undefined) return false;
    const failed = [...this.#failed.keys()].filter(({ id }) => !maxFailures.besides.has(id));
    return failed.length >= maxFailures.count;
  }

  #planned(stimulus: Stimulus): readonly Draw[] {
    const { seed, runs, allow, withholds } = this.#options;
    try {
      const reason = skipReasonOf(stimulus, this.#info, allow);
      if (reason !== undefined) {
        this.#rule(stimulus, notExercised(reason));
        return [];
      }
      const draws = drawsOf(stimulus, this.#info, seed, runs)
        .filter((draw) => withholds === undefined || isSendable(draw.cost(this.#info)))
        .slice(0, this.#plan.draws.get(stimulus));
      // Should it throw, then here, where the failure has its checks.
      for (const draw of draws) draw.cost(this.#info);
      if (draws.length === 0 && withholds !== undefined) this.#rule(stimulus, notExercised(WITHHELD));
      return draws;
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
        const ended = this.#inTurn(draw, judged);
        this.#latest.set(draw.stimulus, ended);
        await ended;
        this.#progress(draw, judged.size, total);
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
  }

  /** In a thrifty run each draw waits for the one before it, whose failure may settle its checks. */
  async #inTurn(draw: Draw, judged: Map<Draw, JudgedDraw>): Promise<void> {
    if (this.#info.thrifty) await this.#latest.get(draw.stimulus);
    if (this.isOver || this.hasFailedEnough) this.counts.unsent += 1;
    else if (!this.#isSettled(draw.stimulus)) judged.set(draw, await this.#judge(draw));
  }

  /** Whether every check of a stimulus has failed often enough; more failures would only cost more completions. */
  #isSettled(stimulus: Stimulus): boolean {
    if (!this.#info.thrifty) return false;
    return (
      this.#checksOf.get(stimulus)?.every((each) => (this.#failed.get(each) ?? 0) >= ENOUGH_FAILURES) ?? true
    );
  }

  async #judge(draw: Draw): Promise<JudgedDraw> {
    const checks = (this.#checksOf.get(draw.stimulus) ?? []).filter((each) => this.tallies.has(each));
    const judged = await judgeDraw(draw, checks, this.#wire, this.#info);
    this.trials.add(judged);
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
    this.trials.add({ id: name, stimulus: name, trial: { exchanges: [] }, missing: ruling, rulings });
    for (const check of checks) this.tallies.get(check)?.add(ruling, { exchanges: [] });
  }

  #count(draw: Draw, judged: JudgedDraw | undefined): void {
    if (judged === undefined) return;
    this.counts.begun += 1;
    const sent = this.sent.get(draw.stimulus);
    if (sent === undefined) this.sent.set(draw.stimulus, [draw]);
    else sent.push(draw);
    if (isCut(judged.trial)) this.counts.cut += 1;
    for (const [check, ruling] of judged.rulings) {
      const tally = this.tallies.get(check);
      tally?.add(ruling, judged.trial, draw);
      tally?.addInput(judged.trial, judged.exampleCount);
    }
  }

  #progress({ stimulus }: Draw, done: number, total: number): void {
    const { stage, name } = stimulus;
    const { spent } = this.#wire.budget;
    this.#options.onProgress?.({ stage, stimulus: name, done, total, spent });
  }
}

/** The draws of one stage, in the order in which they are sent. */
interface PartsOfStage {
  /** Of stimuli that cost nothing in any of their draws. */
  readonly reading: readonly Draw[];
  /** Sent side by side. */
  readonly together: readonly Draw[];
  /** Sent one by one. */
  readonly alone: readonly Draw[];
}

/** `plans`: the draws of each stimulus; `draws`: all of them in the order of the run. */
function partsOf(
  plans: readonly (readonly Draw[])[],
  draws: readonly Draw[],
  info: TargetInfo,
): PartsOfStage {
  const costless = plans.filter((plan) => plan.every((draw) => isReading(draw.cost(info))));
  const stimuli = new Set(costless.flat().map(({ stimulus }) => stimulus));
  const others = draws.filter(({ stimulus }) => !stimuli.has(stimulus));
  return {
    reading: draws.filter(({ stimulus }) => stimuli.has(stimulus)),
    together: others.filter(({ stimulus }) => stimulus.alone !== true),
    alone: others.filter(({ stimulus }) => stimulus.alone === true),
  };
}
