import { type Draw, drawsOf } from '../inputs/draws.ts';
import { rememberedFirst } from '../inputs/remembered-draws.ts';
import { TrialRecord } from '../journal/write-journal.ts';
import type { Check, JudgedDraw } from '../model/check.ts';
import type { RememberedFailure } from '../model/remembered.ts';
import { notExercised, type Ruling, asError } from '../model/ruling.ts';
import { areKnown, rememberedIn, type RunOptions } from '../model/run.ts';
import { isSendable, WITHHELD, skipReasonOf, type Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import type { WhileWaiting } from '../sending/counterparts.ts';
import type { Wire } from '../sending/wire.ts';
import { isCut, Tally } from '../summary/tally.ts';
import { judgeDraw } from './judge-draw.ts';
import { judgeInvariants, tallyExchanges } from './judge-invariants.ts';
import { type Item, Lane } from './lane.ts';
import { inOrder } from './plan-order.ts';
import { spendingOf } from './planned-stimuli.ts';
import { doAll, type Work } from './work-queue.ts';

/** The part of a run that sends: one queue of the draws that can be sent now. */
export class SuiteRun {
  readonly tallies: ReadonlyMap<Check, Tally>;
  /** The draws of each stimulus that were sent, in the order of the plan. */
  readonly sent = new Map<Stimulus, Draw[]>();
  readonly trials: TrialRecord;
  readonly counts = { begun: 0, cut: 0, unsent: 0 };
  readonly #options: RunOptions;
  readonly #wire: Wire;
  readonly #info: TargetInfo;
  readonly #checksOf: ReadonlyMap<Stimulus, readonly Check[]>;
  readonly #remembered: readonly RememberedFailure[];
  readonly #items: readonly Item[];
  readonly #lanes: readonly Lane[];
  readonly #judged = new Map<Draw, JudgedDraw>();
  #hasSentAgain: boolean;
  #hasFailed = false;

  constructor(options: RunOptions, wire: Wire, info: TargetInfo) {
    this.#options = options;
    this.trials = new TrialRecord(options.journal, wire.redactor.value);
    this.#wire = wire;
    this.#info = info;
    const judged = options.judges === undefined ? options.checks : [];
    this.tallies = new Map(judged.map((each) => [each, new Tally()]));
    this.#checksOf = Map.groupBy(options.checks, (each) => each.given);
    this.#remembered = rememberedIn(options);
    this.#items = this.#plan();
    const items = Map.groupBy(this.#items, ({ draw }) => draw.stimulus);
    this.#lanes = [...items].map(
      ([stimulus, own]) => new Lane(stimulus, this.#checksOf.get(stimulus) ?? [], own, options, info),
    );
    this.#hasSentAgain = !this.#lanes.some((lane) => lane.hasLeft('again'));
  }

  /** Sends everything, the most urgent first. */
  async sendAll(): Promise<void> {
    this.trials.plan(this.#items.map(({ draw }) => draw));
    await doAll((isIdle) => this.#nextWork(isIdle), this.#options.concurrency);
    if (this.#isEnding) this.counts.unsent = this.#left;
    // Counted in the order of the plan, so that reports do not depend on the order of arrival.
    for (const { draw } of this.#items) this.#count(draw, this.#judged.get(draw));
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

  #plan(): readonly Item[] {
    const { known } = this.#options;
    const checks = this.#checksOf;
    const planned = inOrder(new Map([...checks.keys()].map((each) => [each, this.#drawsOf(each)])), {
      isOpen: (stimulus) => checks.get(stimulus)?.every(({ level }) => level === 'open') === true,
      isKnown: (stimulus) => areKnown(checks.get(stimulus) ?? [], known),
      costOf: (draw) => draw.cost(this.#info),
      isRemembered: (draw) => draw.isRemembered === true,
    });
    return planned.map((each, place) => ({ ...each, place }));
  }

  #drawsOf(stimulus: Stimulus): readonly Draw[] {
    const { seed, runs, allow, withholds } = this.#options;
    try {
      const reason = skipReasonOf(stimulus, this.#info, allow);
      if (reason !== undefined) {
        this.#rule(stimulus, notExercised(reason));
        return [];
      }
      const drawn = drawsOf(stimulus, this.#info, seed, runs);
      const draws = rememberedFirst(drawn, stimulus, this.#info, this.#remembered).filter(
        (draw) => withholds === undefined || isSendable(draw.cost(this.#info)),
      );
      // Should it throw, then here, where the failure has its checks.
      for (const draw of draws) draw.cost(this.#info);
      if (draws.length === 0 && withholds !== undefined) this.#rule(stimulus, notExercised(WITHHELD));
      return draws;
    } catch (error) {
      this.#rule(stimulus, asError(error));
      return [];
    }
  }

  #rule(stimulus: Stimulus, unredacted: Ruling | Error): void {
    const ruling = this.#wire.redactor.ruling(unredacted);
    const checks = this.#checksOf.get(stimulus) ?? [];
    const rulings = checks.map((check) => [check, ruling] as const);
    const { name } = stimulus;
    this.trials.add({ id: name, stimulus: name, trial: { exchanges: [] }, missing: ruling, rulings });
    for (const check of checks) this.tallies.get(check)?.add(ruling, { exchanges: [] });
  }

  /** Takes the most urgent draw that can be sent now. */
  #nextWork(isIdle: boolean): Work | undefined {
    if (this.#isEnding) return undefined;
    const ready = this.#lanes.flatMap((lane) => this.#candidate(lane));
    const alone = ready.filter(({ isAlone }) => isAlone);
    const best = mostUrgent(ready);
    const chosen = best === undefined || this.#leavesRoom(best, alone) ? best : mostUrgent(alone);
    if (chosen === undefined || (chosen.isAlone && !isIdle)) return undefined;
    chosen.lane.begin(chosen.item);
    return { isAlone: chosen.isAlone, run: (whileWaiting) => this.#send(chosen, whileWaiting) };
  }

  /** The next draw of a lane, unless it waits for others. */
  #candidate(lane: Lane): readonly Candidate[] {
    const item = lane.head;
    if (item === undefined || lane.waits(item)) return [];
    const urgency = lane.urgencyOf(item);
    return this.#reusesLater(lane, urgency) ? [] : [{ lane, item, isAlone: item.draw.isAlone, urgency }];
  }

  /** Whether it may reuse an answer to what has still to be sent, and is sent before it. */
  #reusesLater({ stimulus: { reuses, stage } }: Lane, urgency: number): boolean {
    if (reuses !== true) return false;
    const others = this.#lanes.filter(({ stimulus }) => stimulus.reuses !== true && stimulus.stage === stage);
    return others.some(
      (other) => other.isUnderWay || (other.head !== undefined && other.urgencyOf(other.head) <= urgency),
    );
  }

  /** Whether the caps leave room for each first input that goes alone, and so later. */
  #leavesRoom({ item, isAlone }: Candidate, alone: readonly Candidate[]): boolean {
    if (isAlone || item.pass === 'again' || item.pass === 'first') return true;
    const kept = alone.filter((each) => each.item.pass === 'first').map((each) => each.item);
    if (kept.length === 0) return true;
    const { left } = this.#wire.budget;
    const most = spendingOf([item, ...kept].map(({ draw }) => draw.cost(this.#info)));
    return most.requests <= left.requests && most.mostCompletions <= left.completions;
  }

  async #send({ lane, item }: Candidate, whileWaiting: WhileWaiting): Promise<void> {
    const { draw } = item;
    const checks = lane.checks.filter((each) => this.tallies.has(each));
    const judged = await judgeDraw(draw, checks, this.#wire, this.#info, { whileWaiting });
    this.trials.add(judged);
    this.#judged.set(draw, judged);
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
    const before = new Set(this.#remembered.map(({ check }) => check));
    this.#options.onSentAgain(failed.filter((id) => before.has(id)));
  }

  #noteProgress({ draw: { stimulus }, pass }: Item): void {
    const { length: total } = this.#items;
    const { spent } = this.#wire.budget;
    const { name, stage } = stimulus;
    this.#options.onProgress?.({ pass, stage, stimulus: name, done: total - this.#left, total, spent });
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
}

/** The levels at which a failure fails a run. */
const FAILING: ReadonlySet<string> = new Set(['stated', 'implied']);

/** A draw that can be sent now. */
interface Candidate {
  readonly lane: Lane;
  readonly item: Item;
  readonly isAlone: boolean;
  readonly urgency: number;
}

function mostUrgent(all: readonly Candidate[]): Candidate | undefined {
  const [first, ...others] = all;
  return others.reduce((best, each) => (isSooner(each, best) ? each : best), first);
}

function isSooner(one: Candidate, other: Candidate | undefined): boolean {
  if (other === undefined || one.urgency !== other.urgency) return one.urgency < (other?.urgency ?? Infinity);
  return one.item.place < other.item.place;
}
