import type { Draw } from '../inputs/draws.ts';
import type { Check } from '../model/check.ts';
import type { TrialEntry } from '../model/entry-schema.ts';
import { notExercised, findingIn, type Ruling, asError } from '../model/ruling.ts';
import { rememberedIn, type RunOptions } from '../model/run.ts';
import type { Stimulus, WhileWaiting } from '../model/stimulus.ts';
import { judgeDraw, type Sending } from './judge-draw.ts';
import { inPlanOrder, type Item, Lane, type Ready } from './lane.ts';
import { judgeInvariants } from './recorded/judge-invariants.ts';
import { drawsToSend, spendingOf } from './spending-plan.ts';
import { doAll, type Work } from './work-queue.ts';

/** The part of a run that sends: one queue of the draws that can be sent now. */
export class SuiteRun {
  readonly lanes: readonly Lane[];
  readonly #options: RunOptions;
  readonly #sending: Sending;
  /** Every draw, with its place in the plan, which does not depend on the order of arrival. */
  readonly #places: ReadonlyMap<Item, number>;
  #nextPlace = 0;
  #hasSentAgain: boolean;
  #hasFailed = false;

  constructor(options: RunOptions, sending: Sending) {
    this.#options = options;
    this.#sending = sending;
    this.lanes = [...Map.groupBy(options.checks, ({ given }) => given)].map(
      ([given, checks]) => new Lane(given, checks, this.#drawsOf(given, checks), options, sending.info),
    );
    const items = this.lanes.flatMap((lane) => lane.items).toSorted(inPlanOrder);
    this.#places = new Map(items.map((item) => [item, this.nextPlace()]));
    this.#hasSentAgain = !this.lanes.some((lane) => lane.hasLeft('again'));
  }

  /** Sends everything, the most urgent first. */
  sendAll(): Promise<void> {
    return doAll((isIdle) => this.#nextWork(isIdle), this.#options.concurrency);
  }

  /** The place of one more trial, after those that are planned. */
  nextPlace(): number {
    return this.#nextPlace++;
  }

  /** Read before every draw: nothing more is sent once the run was interrupted or its journal failed. */
  get isOver(): boolean {
    return this.#sending.wire.closed !== undefined;
  }

  /** Read before every draw: whether as many checks have failed as the run was allowed. */
  get hasFailedEnough(): boolean {
    const { maxFailures = Infinity, known } = this.#options;
    return this.#failed.filter(({ id }) => known?.checks.has(id) !== true).length >= maxFailures;
  }

  /** The checks that have found a violation. */
  get #failed(): readonly Check[] {
    return this.lanes.flatMap((lane) => lane.failed);
  }

  /** How many draws were not sent because the run ended. */
  get unsent(): number {
    return this.#isEnding ? this.#left : 0;
  }

  get #isEnding(): boolean {
    return this.isOver || this.hasFailedEnough;
  }

  get #left(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.left, 0);
  }

  /** What a stimulus sends; where that is nothing, its checks are ruled on. */
  #drawsOf(stimulus: Stimulus, checks: readonly Check[]): readonly Draw[] {
    try {
      const draws = drawsToSend(stimulus, this.#sending.info, this.#options, rememberedIn(this.#options));
      if (typeof draws !== 'string') return draws;
      this.#ruleAll(stimulus, checks, notExercised(draws));
    } catch (error) {
      this.#ruleAll(stimulus, checks, asError(error));
    }
    return [];
  }

  #ruleAll({ name }: Stimulus, checks: readonly Check[], unredacted: Ruling | Error): void {
    const { wire, journal } = this.#sending;
    const missing = wire.redactor.ruling(unredacted);
    const rulings = Object.fromEntries(checks.map(({ id }) => [id, missing]));
    const place = { id: name, stimulus: name, nth: this.nextPlace() };
    journal.append({ type: 'trial', ...place, exchanges: [], data: {}, missing, rulings });
  }

  /** Takes the most urgent draw that can be sent now. */
  #nextWork(isIdle: boolean): Work | undefined {
    if (this.#isEnding) return undefined;
    const ready = this.lanes
      .flatMap((lane) => lane.ready ?? [])
      .toSorted((one, other) => one.urgency - other.urgency || inPlanOrder(one.item, other.item));
    const alone = ready.filter(({ item }) => item.draw.isAlone);
    const chosen = ready.find(({ item }) => this.#leavesRoom(item, alone));
    const isAlone = chosen?.item.draw.isAlone === true;
    if (chosen === undefined || (isAlone && !isIdle)) return undefined;
    chosen.lane.begin(chosen.item);
    return { isAlone, run: (whileWaiting) => this.#send(chosen, whileWaiting) };
  }

  /** Whether the caps leave room for each first input that goes alone, and so later. */
  #leavesRoom({ draw, pass, cost }: Item, alone: readonly Ready[]): boolean {
    if (draw.isAlone || pass === 'again' || pass === 'first') return true;
    const kept = alone.flatMap(({ item }) => (item.pass === 'first' ? [item.cost] : []));
    if (kept.length === 0) return true;
    const { left } = this.#sending.wire.budget;
    const most = spendingOf([cost, ...kept]);
    return most.requests <= left.requests && most.mostCompletions <= left.completions;
  }

  async #send({ lane, item }: Ready, whileWaiting: WhileWaiting): Promise<void> {
    const checks = this.#options.judges === undefined ? lane.checks : [];
    const nth = this.#places.get(item) ?? 0;
    const judged = await judgeDraw(item.draw, checks, this.#sending, { nth, whileWaiting });
    lane.end(item, judged);
    this.#noteFailure(checks, judged.entry);
    this.#noteSentAgain();
    this.#noteProgress(item);
  }

  #noteFailure(checks: readonly Check[], { rulings }: TrialEntry): void {
    for (const check of checks) {
      const finding = findingIn(rulings[check.id]);
      if (finding === undefined || this.#hasFailed || !FAILING.has(check.level)) continue;
      if (this.#options.known?.lists(check.id, finding) === true) continue;
      this.#hasFailed = true;
      this.#options.onFirstFailure?.(check, finding);
    }
  }

  #noteSentAgain(): void {
    if (this.#hasSentAgain || this.lanes.some((lane) => lane.hasLeft('again'))) return;
    this.#hasSentAgain = true;
    if (this.#isEnding || this.#options.onSentAgain === undefined) return;
    const { record, redactor } = this.#sending.wire;
    const judged = judgeInvariants(this.#options.invariants, record, this.#sending.info, redactor.ruling);
    const broken = judged.filter(({ rulings }) => rulings.some(([, ruling]) => findingIn(ruling)));
    const before = new Set(rememberedIn(this.#options).map(({ check }) => check));
    const failed = [...this.#failed, ...broken];
    this.#options.onSentAgain(failed.flatMap(({ id }) => (before.has(id) ? [id] : [])));
  }

  #noteProgress({ draw: { stimulus }, pass }: Item): void {
    const { size: total } = this.#places;
    const { spent } = this.#sending.wire.budget;
    const { name, stage } = stimulus;
    this.#options.onProgress?.({ pass, stage, stimulus: name, done: total - this.#left, total, spent });
  }
}

/** The levels at which a failure fails a run. */
const FAILING: ReadonlySet<string> = new Set(['stated', 'implied']);
