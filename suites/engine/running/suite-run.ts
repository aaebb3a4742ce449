import { type Draw, drawsOf } from '../inputs/draws.ts';
import { rememberedFirst } from '../inputs/remembered-draws.ts';
import { TrialRecord } from '../journal/write-journal.ts';
import type { Check, JudgedDraw } from '../model/check.ts';
import { notExercised, type Ruling, asError } from '../model/ruling.ts';
import { rememberedIn, type RunOptions } from '../model/run.ts';
import { isSendable, WITHHELD, skipReasonOf, type Stimulus, type WhileWaiting } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import type { Wire } from '../sending/wire.ts';
import { type DrawCounts, isCut, Tally } from '../summary/tally.ts';
import { judgeDraw } from './judge-draw.ts';
import { judgeInvariants, tallyExchanges } from './judge-invariants.ts';
import { inPlanOrder, type Item, Lane } from './lane.ts';
import { spendingOf } from './planned-stimuli.ts';
import { doAll, type Work } from './work-queue.ts';

/** The part of a run that sends: one queue of the draws that can be sent now. */
export class SuiteRun {
  readonly tallies: ReadonlyMap<Check, Tally>;
  readonly trials: TrialRecord;
  readonly #options: RunOptions;
  readonly #wire: Wire;
  readonly #info: TargetInfo;
  readonly #lanes: readonly Lane[];
  /** Every draw in the order of the plan, which does not depend on the order of arrival. */
  readonly #items: readonly Item[];
  readonly #places: ReadonlyMap<Item, number>;
  readonly #judged = new Map<Item, JudgedDraw>();
  #hasSentAgain: boolean;
  #hasFailed = false;

  constructor(options: RunOptions, wire: Wire, info: TargetInfo) {
    this.#options = options;
    this.trials = new TrialRecord(options.journal, wire.redactor.value);
    this.#wire = wire;
    this.#info = info;
    const judged = options.judges === undefined ? options.checks : [];
    this.tallies = new Map(judged.map((each) => [each, new Tally()]));
    this.#lanes = [...Map.groupBy(options.checks, ({ given }) => given)].map(
      ([given, checks]) => new Lane(given, checks, this.#drawsOf(given, checks), options, info),
    );
    this.#items = this.#lanes.flatMap(({ items }) => items).toSorted(inPlanOrder);
    this.#places = new Map(this.#items.map((item, place) => [item, place]));
    this.#hasSentAgain = !this.#lanes.some((lane) => lane.hasLeft('again'));
  }

  /** Sends everything, the most urgent first. */
  async sendAll(): Promise<void> {
    this.trials.plan(this.#items.map(({ draw }) => draw));
    await doAll((isIdle) => this.#nextWork(isIdle), this.#options.concurrency);
    for (const { draw, trial, rulings, exampleCount } of this.#sent())
      for (const [check, ruling] of rulings) {
        const tally = this.tallies.get(check);
        tally?.add(ruling, trial, draw);
        tally?.addInput(trial, exampleCount);
      }
  }

  /** The draws of a stimulus that were sent. */
  sentOf(stimulus: Stimulus): readonly Draw[] {
    return this.#sent().flatMap(({ draw }) => (draw.stimulus === stimulus ? [draw] : []));
  }

  get counts(): DrawCounts & { readonly unsent: number } {
    const sent = this.#sent();
    const cut = sent.filter(({ trial }) => isCut(trial)).length;
    return { begun: sent.length, cut, unsent: this.#isEnding ? this.#left : 0 };
  }

  #sent(): readonly (JudgedDraw & Pick<Item, 'draw'>)[] {
    return this.#items.flatMap((item) => {
      const judged = this.#judged.get(item);
      return judged === undefined ? [] : [{ ...judged, draw: item.draw }];
    });
  }

  /** Read before every draw: nothing more is sent once the run was interrupted or its journal failed. */
  get isOver(): boolean {
    return this.#wire.closed !== undefined;
  }

  /** Read before every draw: whether as many checks have failed as the run was allowed. */
  get hasFailedEnough(): boolean {
    const { maxFailures, known } = this.#options;
    if (maxFailures === undefined) return false;
    return this.#failed.filter(({ id }) => known?.checks.has(id) !== true).length >= maxFailures;
  }

  get #isEnding(): boolean {
    return this.isOver || this.hasFailedEnough;
  }

  /** The checks that have found a violation. */
  get #failed(): readonly Check[] {
    return this.#lanes.flatMap((lane) => lane.failed);
  }

  get #left(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.left, 0);
  }

  /** What a stimulus sends; where that is nothing, its checks are ruled on. */
  #drawsOf(stimulus: Stimulus, checks: readonly Check[]): readonly Draw[] {
    const { seed, runs, allow, withholds } = this.#options;
    const info = this.#info;
    try {
      const reason = skipReasonOf(stimulus, info, allow);
      if (reason !== undefined) return this.#ruleAll(stimulus, checks, notExercised(reason));
      const drawn = drawsOf(stimulus, info, seed, runs);
      const draws = rememberedFirst(drawn, stimulus, info, rememberedIn(this.#options)).filter(
        // The cost is made for every draw: should it throw, then here, where the failure has its checks.
        (draw) => isSendable(draw.cost(info)) || withholds === undefined,
      );
      if (draws.length > 0 || withholds === undefined) return draws;
      return this.#ruleAll(stimulus, checks, notExercised(WITHHELD));
    } catch (error) {
      return this.#ruleAll(stimulus, checks, asError(error));
    }
  }

  #ruleAll({ name }: Stimulus, checks: readonly Check[], unredacted: Ruling | Error): readonly Draw[] {
    const ruling = this.#wire.redactor.ruling(unredacted);
    const rulings = checks.map((check) => [check, ruling] as const);
    this.trials.add({ id: name, stimulus: name, trial: { exchanges: [] }, missing: ruling, rulings });
    for (const check of checks) this.tallies.get(check)?.add(ruling, { exchanges: [] });
    return [];
  }

  /** Takes the most urgent draw that can be sent now. */
  #nextWork(isIdle: boolean): Work | undefined {
    if (this.#isEnding) return undefined;
    const ready = this.#lanes
      .flatMap((lane) => this.#candidateOf(lane))
      .toSorted((one, other) => one.urgency - other.urgency || one.place - other.place);
    const alone = ready.filter(({ item }) => item.draw.isAlone);
    const chosen = ready.find(({ item }) => this.#leavesRoom(item, alone));
    const isAlone = chosen?.item.draw.isAlone === true;
    if (chosen === undefined || (isAlone && !isIdle)) return undefined;
    chosen.lane.begin(chosen.item);
    return { isAlone, run: (whileWaiting) => this.#send(chosen, whileWaiting) };
  }

  #candidateOf(lane: Lane): readonly Candidate[] {
    const item = lane.ready;
    if (item === undefined) return [];
    return [{ lane, item, urgency: lane.urgencyOf(item), place: this.#places.get(item) ?? 0 }];
  }

  /** Whether the caps leave room for each first input that goes alone, and so later. */
  #leavesRoom({ draw, pass, cost }: Item, alone: readonly Candidate[]): boolean {
    if (draw.isAlone || pass === 'again' || pass === 'first') return true;
    const kept = alone.flatMap(({ item }) => (item.pass === 'first' ? [item.cost] : []));
    if (kept.length === 0) return true;
    const { left } = this.#wire.budget;
    const most = spendingOf([cost, ...kept]);
    return most.requests <= left.requests && most.mostCompletions <= left.completions;
  }

  async #send({ lane, item }: Candidate, whileWaiting: WhileWaiting): Promise<void> {
    const checks = lane.checks.filter((each) => this.tallies.has(each));
    const judged = await judgeDraw(item.draw, checks, this.#wire, this.#info, { whileWaiting });
    this.trials.add(judged);
    this.#judged.set(item, judged);
    lane.end(item, judged);
    this.#noteFailure(judged);
    this.#noteSentAgain();
    this.#noteProgress(item);
  }

  #noteFailure({ rulings }: JudgedDraw): void {
    for (const [check, ruling] of rulings) {
      const isFailure = !(ruling instanceof Error) && ruling.kind === 'violated';
      if (!isFailure || this.#hasFailed || !FAILING.has(check.level)) continue;
      if (this.#options.known?.lists(check.id, ruling.finding) === true) continue;
      this.#hasFailed = true;
      this.#options.onFirstFailure?.(check, ruling.finding);
    }
  }

  #noteSentAgain(): void {
    if (this.#hasSentAgain || this.#lanes.some((lane) => lane.hasLeft('again'))) return;
    this.#hasSentAgain = true;
    if (this.#isEnding || this.#options.onSentAgain === undefined) return;
    const { record, redactor } = this.#wire;
    const rulings = judgeInvariants(this.#options.invariants, record, this.#info, redactor.ruling);
    const broken = [...rulings].filter(([, all]) => tallyExchanges(all).failures.length > 0);
    const failed = [...this.#failed, ...broken.map(([invariant]) => invariant)].map(({ id }) => id);
    const before = new Set(rememberedIn(this.#options).map(({ check }) => check));
    this.#options.onSentAgain(failed.filter((id) => before.has(id)));
  }

  #noteProgress({ draw: { stimulus }, pass }: Item): void {
    const { length: total } = this.#items;
    const { spent } = this.#wire.budget;
    const { name, stage } = stimulus;
    this.#options.onProgress?.({ pass, stage, stimulus: name, done: total - this.#left, total, spent });
  }
}

/** The levels at which a failure fails a run. */
const FAILING: ReadonlySet<string> = new Set(['stated', 'implied']);

/** A draw that can be sent now. */
interface Candidate {
  readonly lane: Lane;
  readonly item: Item;
  readonly urgency: number;
  /** Its place in the plan. */
  readonly place: number;
}
