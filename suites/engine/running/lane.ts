import type { Draw } from '../inputs/draws.ts';
import type { Check, JudgedDraw } from '../model/check.ts';
import { type Exchange, isChargeable } from '../model/exchange.ts';
import { areKnown, type Pass, type RunOptions } from '../model/run.ts';
import type { Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { chargeOf } from '../sending/budget.ts';
import { isCut } from '../summary/tally.ts';
import type { Planned } from './plan-order.ts';

/** Failures of every check of a stimulus, or charges for what must be refused, after which a run sends no more of it. */
const ENOUGH = { few: 3, many: 20 } as const;

/** How many more draws come with the first ones where those decided nothing. */
const MORE_TRIES = 3;

/** The more urgent first. `put-back`: the second inputs of a lane whose checks have failed. */
const URGENCIES = ['again', 'first', 'second', 'put-back', 'open', 'known'] as const;

/** What goes alone goes when all others are done: a run has to run dry only once. */
const LATER = URGENCIES.length;

/** A draw with its place in the plan. */
export interface Item extends Planned<Draw> {
  readonly place: number;
}

/** The draws of one stimulus in their order, and what they have shown so far: whether more of them are worth their cost. */
export class Lane {
  readonly stimulus: Stimulus;
  readonly checks: readonly Check[];
  readonly #items: readonly Item[];
  readonly #info: TargetInfo;
  readonly #isKnown: boolean;
  readonly #enough: number;
  readonly #failures = new Map<Check, number>();
  readonly #decided = new Set<Check>();
  #next = 0;
  #sent = 0;
  #charged = 0;
  #isFruitless = false;
  readonly #underWay = new Set<Item>();

  constructor(
    stimulus: Stimulus,
    checks: readonly Check[],
    items: readonly Item[],
    { caps, known }: Pick<RunOptions, 'caps' | 'known'>,
    info: TargetInfo,
  ) {
    this.stimulus = stimulus;
    this.checks = checks;
    this.#items = items;
    this.#info = info;
    this.#isKnown = areKnown(checks, known);
    const most = Number.isFinite(caps.completions) ? ENOUGH.many : Infinity;
    this.#enough = this.#isKnown ? 1 : info.thrifty ? ENOUGH.few : most;
  }

  /** The checks that have found a violation. */
  get failed(): readonly Check[] {
    return [...this.#failures.keys()];
  }

  /** The next draw that is worth its cost. */
  get head(): Item | undefined {
    let item = this.#items[this.#next];
    while (item !== undefined && this.#isSkipped(item)) item = this.#items[(this.#next += 1)];
    return item;
  }

  /** How many more draws it has to send, as far as is known. */
  get left(): number {
    return this.isSettled ? 0 : this.#items.length - this.#next;
  }

  get isUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /** Whether a draw of this pass has still to be sent, or is under way. */
  hasLeft(pass: Pass): boolean {
    return this.head?.pass === pass || [...this.#underWay].some((item) => item.pass === pass);
  }

  /** How urgent a draw is: the less the sooner. */
  urgencyOf(item: Item): number {
    const urgency = URGENCIES.indexOf(this.#urgencyOf(item));
    return item.draw.isAlone && item.pass !== 'again' ? LATER + urgency : urgency;
  }

  #urgencyOf({ pass }: Item): (typeof URGENCIES)[number] {
    if (pass === 'again' || pass === 'first' || pass === 'known') return pass;
    if (this.#needsAnother()) return 'first';
    return pass === 'second' && this.isPutBack ? 'put-back' : pass;
  }

  /**
   * Whether its next draw waits for those under way, because they may settle the matter. The same draws are sent as one
   * after the other: one goes ahead only where it would go however those end.
   */
  waits({ pass }: Item): boolean {
    if (this.#underWay.size === 0 || pass === 'first') return false;
    if (this.stimulus.untilDecided === true) return true;
    // The most that those under way can add.
    const worst = [...this.#underWay].reduce(
      (sum, { draw }) => sum + Math.max(1, draw.cost(this.#info).refused ?? 0),
      0,
    );
    return this.#bad + worst >= this.#enough;
  }

  /** Takes its next draw. */
  begin(item: Item): void {
    this.#next += 1;
    this.#underWay.add(item);
  }

  end(item: Item, { id, rulings, trial }: JudgedDraw): void {
    const { draw } = item;
    this.#underWay.delete(item);
    if (draw.isRemembered !== true) this.#sent += 1;
    this.#charged += Math.max(0, chargedOf(id, trial.exchanges) - (draw.cost(this.#info).served ?? 0));
    for (const [check, ruling] of rulings) {
      if (!(ruling instanceof Error) && ruling.kind === 'violated')
        this.#failures.set(check, (this.#failures.get(check) ?? 0) + 1);
      if (ruling instanceof Error || DECIDED.has(ruling.kind)) this.#decided.add(check);
    }
    if (isCut(trial) || trial.exchanges.some(isFailure)) this.#isFruitless = true;
  }

  /** Whether its checks have failed, or what must be refused was charged: others have their second inputs first. */
  get isPutBack(): boolean {
    return this.#isDone || (this.#info.thrifty && this.#bad >= 1);
  }

  /** Whether more of it would only cost more. */
  get isSettled(): boolean {
    return this.#isDone || this.#bad >= this.#enough;
  }

  #isSkipped({ pass }: Item): boolean {
    if (pass === 'first') return false;
    return pass === 'again' ? this.#bad >= this.#enough : this.isSettled;
  }

  /** Not every check has a verdict yet, and one more input may give it one. */
  #needsAnother(): boolean {
    const more = this.#sent - (this.stimulus.firstCount ?? 1);
    if (this.#isFruitless || this.#isKnown || more < 0 || more >= MORE_TRIES) return false;
    return this.#underWay.size === 0 && !this.#isDecided;
  }

  /** How often every check has failed, or what must be refused was charged. */
  get #bad(): number {
    return Math.max(this.#charged, Math.min(...this.checks.map((each) => this.#failures.get(each) ?? 0)));
  }

  get #isDone(): boolean {
    return this.stimulus.untilDecided === true && this.#isDecided;
  }

  get #isDecided(): boolean {
    return this.checks.every((check) => this.#decided.has(check));
  }
}

const DECIDED: ReadonlySet<string> = new Set(['holds', 'violated', 'observed']);

/** How many of a draw's own requests may have been charged; counterparts are shared. */
function chargedOf(id: string, exchanges: readonly Exchange[]): number {
  return exchanges.filter(
    (exchange) =>
      exchange.id.startsWith(`${id}/`) &&
      isChargeable(exchange.request) &&
      chargeOf(exchange.outcome, 0, exchange.armed).completed,
  ).length;
}

/** The service failed, or its answer was lost: the same may happen to the next one. */
function isFailure({ outcome }: Exchange): boolean {
  return outcome.kind === 'uncertain' || (outcome.kind === 'answered' && outcome.answer.status >= 500);
}
