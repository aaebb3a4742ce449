import type { Draw } from '../inputs/draws.ts';
import type { Check } from '../model/check.ts';
import type { TrialEntry } from '../model/entry-schema.ts';
import { notExercised, findingIn, type Ruling, asError } from '../model/ruling.ts';
import { rememberedIn, type RunOptions } from '../model/run.ts';
import type { WhileWaiting } from '../model/stimulus.ts';
import { judgeDraw, type Sending } from './judge-draw.ts';
import { inPlanOrder, type Item, Lane, type Ready } from './lane.ts';
import { judgeInvariants } from './recorded/judge-invariants.ts';
import { drawsToSend, spendingOf } from './spending-plan.ts';

/** The part of a run that sends: one queue of the draws that can be sent now. */
export class SuiteRun {
  readonly lanes: readonly Lane[];
  readonly #options: RunOptions;
  readonly #sending: Sending;
  /** Every draw, with its place in the plan, which does not depend on the order of arrival. */
  readonly #places: ReadonlyMap<Item, number>;
  #nextPlace = 0;
  #hasFailed = false;
  #hasSentAgain: boolean;

  constructor(options: RunOptions, sending: Sending) {
    this.#options = options;
    this.#sending = sending;
    this.lanes = [...Map.groupBy(options.checks, ({ given }) => given).values()].flatMap(([first, ...more]) =>
      first === undefined ? [] : this.#laneOf([first, ...more]),
    );
    const items = this.lanes.flatMap((lane) => lane.items).toSorted(inPlanOrder);
    this.#places = new Map(items.map((item) => [item, this.nextPlace()]));
    this.#hasSentAgain = !this.lanes.some((lane) => lane.hasAgain);
  }

  /** The place of one more trial, after those that are planned. */
  nextPlace(): number {
    return this.#nextPlace++;
  }

  /** Whether nothing more is sent: the run was interrupted, its journal failed, or enough checks have. */
  get isEnding(): boolean {
    return this.#sending.wire.closed !== undefined || this.hasFailedEnough;
  }

  /** Whether as many checks have failed as the run was allowed. */
  get hasFailedEnough(): boolean {
    const { maxFailures, known } = this.#options;
    if (maxFailures === undefined) return false;
    return this.#failed.filter(({ id }) => known?.checks.has(id) !== true).length >= maxFailures;
  }

  /** The checks that have found a violation. */
  get #failed(): readonly Check[] {
    return this.lanes.flatMap((lane) => lane.failed);
  }

  /** How many draws have still to be sent. */
  get left(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.left, 0);
  }

  /** Sends everything, the most urgent first, as soon as a place is free. A draw that waits for another holds none. */
  async sendAll(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    let waiting = 0;
    let freed = Promise.withResolvers<void>();
    const whileWaiting: WhileWaiting = async (sent) => {
      waiting += 1;
      freed.resolve();
      return sent.finally(() => (waiting -= 1));
    };
    for (;;) {
      const isFree = underWay.size - waiting < this.#options.concurrency;
      const next = isFree ? this.#takeNext(underWay.size === 0) : undefined;
      if (next === undefined && underWay.size === 0) return;
      if (next !== undefined) {
        const sent = this.#send(next, whileWaiting).finally(() => underWay.delete(sent));
        underWay.add(sent);
      }
      if (next?.item.draw.isAlone === false) continue;
      freed = Promise.withResolvers();
      await Promise.race([...underWay, freed.promise]);
    }
  }

  /** What a stimulus sends; where that is nothing, its checks are ruled on. */
  #laneOf(checks: readonly [Check, ...Check[]]): Lane {
    const { info } = this.#sending;
    let draws: readonly Draw[] | string = [];
    try {
      draws = drawsToSend(checks[0].given, info, this.#options, rememberedIn(this.#options));
      if (typeof draws !== 'string') return new Lane(checks, draws, this.#options, info);
      this.#ruleAll(checks, notExercised(draws));
    } catch (error) {
      this.#ruleAll(checks, asError(error));
    }
    return new Lane(checks, [], this.#options, info);
  }

  #ruleAll(checks: readonly [Check, ...Check[]], unredacted: Ruling | Error): void {
    const { wire } = this.#sending;
    const { name } = checks[0].given;
    const missing = wire.redactor.ruling(unredacted);
    const rulings = Object.fromEntries(checks.map(({ id }) => [id, missing]));
    const place = { id: name, stimulus: name, nth: this.nextPlace() };
    wire.append({ type: 'trial', ...place, exchanges: [], data: {}, missing, rulings });
  }

  /** Takes the most urgent draw that can be sent now; one that goes alone only where nothing is under way. */
  #takeNext(isIdle: boolean): Ready | undefined {
    if (this.isEnding) return undefined;
    const ready = this.lanes
      .flatMap((lane) => lane.ready ?? [])
      .toSorted((one, other) => one.urgency - other.urgency || this.#placeOf(one) - this.#placeOf(other));
    const alone = ready.filter(({ item }) => item.draw.isAlone);
    const chosen = ready.find(({ item }) => this.#leavesRoom(item, alone));
    if (chosen === undefined || (chosen.item.draw.isAlone && !isIdle)) return undefined;
    chosen.lane.begin(chosen.item);
    return chosen;
  }

  #placeOf({ item }: Ready): number {
    return this.#places.get(item) ?? 0;
  }

  /** Whether the caps leave room for each first input that goes alone, and so later. */
  #leavesRoom({ draw, pass, cost }: Item, alone: readonly Ready[]): boolean {
    if (draw.isAlone || pass === 'again' || pass === 'first') return true;
    const { left } = this.#sending.wire.budget;
    if (Math.min(left.requests, left.completions) === Infinity) return true;
    const kept = alone.flatMap(({ item }) => (item.pass === 'first' ? [item.cost] : []));
    if (kept.length === 0) return true;
    const most = spendingOf([cost, ...kept]);
    return most.requests <= left.requests && most.mostCompletions <= left.completions;
  }

  async #send(ready: Ready, whileWaiting: WhileWaiting): Promise<void> {
    const { lane, item } = ready;
    const { judges, onProgress } = this.#options;
    const checks = judges === undefined ? lane.checks : [];
    const nth = this.#placeOf(ready);
    const judged = await judgeDraw(item.draw, checks, this.#sending, { nth, whileWaiting });
    lane.end(item, judged);
    this.#noteFailure(checks, judged.entry);
    this.#noteSentAgain();
    const { size: total } = this.#places;
    const { spent } = this.#sending.wire.budget;
    onProgress?.({ stimulus: item.draw.stimulus.name, done: total - this.left, total, spent });
  }

  #noteFailure(checks: readonly Check[], { rulings }: TrialEntry): void {
    const { known, onFirstFailure } = this.#options;
    for (const check of checks) {
      const finding = findingIn(rulings[check.id]);
      if (finding === undefined || this.#hasFailed || !FAILING.has(check.level)) continue;
      if (known?.lists(check.id, finding) === true) continue;
      this.#hasFailed = true;
      onFirstFailure?.(check, finding);
    }
  }

  #noteSentAgain(): void {
    if (this.#hasSentAgain || this.lanes.some((lane) => lane.hasAgain)) return;
    this.#hasSentAgain = true;
    const { invariants, onSentAgain } = this.#options;
    if (this.isEnding || onSentAgain === undefined) return;
    const { info, wire } = this.#sending;
    const judged = judgeInvariants(invariants, wire.record, info, wire.redactor.ruling);
    const broken = judged.filter(({ rulings }) => rulings.some(([, ruling]) => findingIn(ruling)));
    const before = new Set(rememberedIn(this.#options).map(({ check }) => check));
    onSentAgain([...this.#failed, ...broken].flatMap(({ id }) => (before.has(id) ? [id] : [])));
  }
}

/** The levels at which a failure fails a run. */
const FAILING: ReadonlySet<string> = new Set(['stated', 'implied']);
