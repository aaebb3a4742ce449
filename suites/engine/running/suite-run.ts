import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../model/check.ts';
import { findingIn, notExercised } from '../model/ruling.ts';
import { rememberedIn, type RunOptions } from '../model/run.ts';
import type { Cost } from '../model/stimulus.ts';
import { judgeInvariants } from './judge-invariants.ts';
import { judgeDraw, type Sending } from './judge-trial.ts';
import { type Item, Lane, PASSES, type Ready } from './lane.ts';
import { type PlannedStimulus, spendingOf } from './planned-draws.ts';

/** The part of a run that sends: one queue of the draws that can be sent now. */
export class SuiteRun {
  readonly lanes: readonly Lane[];
  readonly #options: RunOptions;
  readonly #sending: Sending;
  readonly #total: number;
  #nextPlace = 0;
  #hasFailed = false;
  #hasSentAgain: boolean;

  constructor(options: RunOptions, sending: Sending, planned: readonly PlannedStimulus[]) {
    this.#options = options;
    this.#sending = sending;
    this.lanes = planned.map((each) => new Lane(each, options, sending.info));
    for (const each of planned) this.#ruleUnsent(each);
    const items = this.lanes.flatMap((lane) => lane.items).toSorted(inPlanOrder);
    for (const item of items) item.nth = this.nextPlace();
    this.#total = items.length;
    this.#hasSentAgain = !this.lanes.some((lane) => lane.hasAgain);
  }

  /** The place of one more trial, after those that are planned. */
  nextPlace(): number {
    return this.#nextPlace++;
  }

  /** Whether as many checks have failed as the run was allowed. */
  get hasFailedEnough(): boolean {
    const { maxFailures, known } = this.#options;
    if (maxFailures === undefined) return false;
    return this.#failed.filter(({ id }) => known?.checks.has(id) !== true).length >= maxFailures;
  }

  /** The checks that have found a violation. */
  get #failed(): readonly Check[] {
    return this.lanes.flatMap((lane) => lane.checks.filter((check) => lane.failuresOf(check).length > 0));
  }

  /** How many draws have still to be sent. */
  get left(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.left, 0);
  }

  /** Sends everything, the most urgent first, as soon as a place is free. What waits for another request holds none. */
  async sendAll(): Promise<void> {
    const { rateLimiter } = this.#sending.wire;
    const underWay = new Set<Promise<void>>();
    for (;;) {
      // The draws under way go on first, so that what takes several requests in a row ends early.
      await nextTurn();
      const next = rateLimiter.hasPlace ? this.#takeNext(underWay.size === 0) : undefined;
      if (next?.item.draw.isAlone === true) await this.#send(next);
      else if (next !== undefined) {
        // One that failed stays, and ends all as soon as something is waited for.
        const sent = this.#send(next).then(() => void underWay.delete(sent));
        sent.catch(() => {});
        underWay.add(sent);
      } else if (underWay.size > 0) await Promise.race([...underWay, rateLimiter.freed]);
      else return;
    }
  }

  /** Rules on the checks of what is not sent. */
  #ruleUnsent({ stimulus: { name }, checks, unsent }: PlannedStimulus): void {
    if (unsent === undefined) return;
    const { wire } = this.#sending;
    const missing = wire.redactor.ruling(typeof unsent === 'string' ? notExercised(unsent) : unsent);
    const rulings = Object.fromEntries(checks.map(({ id }) => [id, missing]));
    const place = { id: name, stimulus: name, nth: this.nextPlace() };
    wire.append({ type: 'trial', ...place, exchanges: [], data: {}, missing, rulings });
  }

  /** Whether nothing more is sent: the run was interrupted, its journal failed, or enough checks have. */
  get #isEnding(): boolean {
    return this.#sending.wire.closed !== undefined || this.hasFailedEnough;
  }

  /** Takes the most urgent draw that can be sent now; one that goes alone only where nothing is under way. */
  #takeNext(isIdle: boolean): Ready | undefined {
    if (this.#isEnding) return undefined;
    const ready = this.lanes.map((lane) => lane.ready).filter((each) => each !== undefined);
    const least = Math.min(...ready.map(({ urgency }) => urgency));
    const urgent = ready.filter(({ urgency }) => urgency === least);
    const isRoomy = this.#hasRoomFor(urgent.map(({ item }) => item.cost));
    const alone = this.lanes.map((lane) => lane.firstAlone).filter((each) => each !== undefined);
    const inOrder = (one: Ready, other: Ready): number =>
      one.urgency - other.urgency ||
      (isRoomy ? longestFirst(one.item, other.item) : 0) ||
      one.item.nth - other.item.nth;
    let chosen: Ready | undefined;
    for (const each of ready)
      if ((chosen === undefined || inOrder(each, chosen) < 0) && this.#leavesRoom(each, alone)) chosen = each;
    if (chosen === undefined || (chosen.item.draw.isAlone && !isIdle)) return undefined;
    chosen.lane.begin(chosen.item);
    return chosen;
  }

  /** Whether the caps leave room for each first input that goes alone, and so later. */
  #leavesRoom({ item: { draw, pass, cost } }: Ready, alone: readonly Item[]): boolean {
    if (draw.isAlone || pass === 'again' || pass === 'first' || alone.length === 0) return true;
    return this.#hasRoomFor([cost, ...alone.map((item) => item.cost)]);
  }

  #hasRoomFor(costs: readonly Cost[]): boolean {
    const { left } = this.#sending.wire.budget;
    if (Math.min(left.requests, left.completions) === Infinity) return true;
    const most = spendingOf(costs);
    return most.requests <= left.requests && most.mostCompletions <= left.completions;
  }

  async #send({ lane, item }: Ready): Promise<void> {
    const { judges, onProgress, known, onFirstFailure } = this.#options;
    const checks = judges === undefined ? lane.checks : [];
    const judged = await judgeDraw(item.draw, checks, this.#sending, { nth: item.nth });
    lane.end(item, judged);
    for (const check of checks) {
      const finding = findingIn(judged.entry.rulings[check.id]);
      if (finding === undefined || this.#hasFailed || !FAILING.has(check.level)) continue;
      if (known?.lists(check.id, finding) === true) continue;
      this.#hasFailed = true;
      onFirstFailure?.(check, finding);
    }
    this.#noteSentAgain();
    const { spent } = this.#sending.wire.budget;
    const [stimulus, total] = [item.draw.stimulus.name, this.#total];
    onProgress?.({ stimulus, done: total - this.left, total, spent });
  }

  #noteSentAgain(): void {
    if (this.#hasSentAgain || this.lanes.some((lane) => lane.hasAgain)) return;
    this.#hasSentAgain = true;
    const { invariants, onSentAgain } = this.#options;
    if (this.#isEnding || onSentAgain === undefined) return;
    const { info, wire } = this.#sending;
    const judged = judgeInvariants(invariants, wire.record, info, wire.redactor.ruling);
    const broken = judged.filter(({ rulings }) => rulings.some(([, ruling]) => findingIn(ruling)));
    const before = new Set(rememberedIn(this.#options).map(({ check }) => check));
    onSentAgain([...this.#failed, ...broken].flatMap(({ id }) => (before.has(id) ? [id] : [])));
  }
}

/** The levels at which a failure fails a run. */
const FAILING: ReadonlySet<string> = new Set(['stated', 'implied']);

type Placed = Pick<Item, 'pass' | 'stage' | 'turn' | 'cost'>;

/**
 * Coverage before depth: the first draws of every stimulus before a second input to any, and those that cost least first,
 * so that no cap leaves a clause out. A chat that must be refused costs something only where it is served.
 */
export function inPlanOrder(one: Placed, other: Placed): number {
  return (
    PASSES.indexOf(one.pass) - PASSES.indexOf(other.pass) ||
    one.stage - other.stage ||
    one.turn - other.turn ||
    (one.cost.served ?? 0) - (other.cost.served ?? 0) ||
    (one.cost.refused ?? 0) - (other.cost.refused ?? 0)
  );
}

/** Where the caps leave room for all, what takes several completions in a row begins early: the run ends sooner. */
function longestFirst(one: Item, other: Item): number {
  return one.stage - other.stage || inARow(other.cost) - inARow(one.cost);
}

function inARow({ served = 0, refused = 0, counterparts = [] }: Cost): number {
  return served + refused + Math.min(1, counterparts.length);
}
