import type { Draw } from '../inputs/draws.ts';
import type { JudgedTrial } from '../journal/recording.ts';
import type { Check } from '../model/check.ts';
import type { TrialEntry } from '../model/entry-schema.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Finding, findingIn } from '../model/ruling.ts';
import { areKnown, type RunOptions } from '../model/run.ts';
import { type Cost, STAGES } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { isCharged } from '../sending/budget.ts';
import { isCut } from '../summary/findings.ts';

/** Failures of every check of a stimulus, or charges for what must be refused, after which a run sends no more of it. */
const ENOUGH = { few: 3, many: 20 } as const;

/** How many more draws come with the first ones where those decided nothing. */
const MORE_TRIES = 3;

/**
 * The parts of a run, the more urgent first: what failed before, every clause once, second inputs, those of a stimulus whose
 * checks have failed, what only observes, and what is known to fail.
 */
const PASSES = ['again', 'first', 'second', 'put-back', 'open', 'known'] as const;

/** A draw, and what decides its place in the plan. */
export interface Item {
  readonly draw: Draw;
  readonly pass: (typeof PASSES)[number];
  /** Its place among the draws of its stimulus. */
  readonly turn: number;
  readonly cost: Cost;
}

/** An item that can be sent now; a lower number goes sooner. */
export interface Ready {
  readonly lane: Lane;
  readonly item: Item;
  readonly urgency: number;
}

/** A draw that was sent, and on which a check failed. */
export interface FailedDraw {
  readonly draw: Draw;
  readonly finding: Finding;
  readonly entry: TrialEntry;
}

/**
 * Coverage before depth: the first draws of every stimulus before a second input to any, and those that cost least first,
 * so that no cap leaves a clause out. A chat that must be refused costs something only where it is served.
 */
export function inPlanOrder(one: Item, other: Item): number {
  return (
    PASSES.indexOf(one.pass) - PASSES.indexOf(other.pass) ||
    STAGES.indexOf(one.draw.stimulus.stage) - STAGES.indexOf(other.draw.stimulus.stage) ||
    one.turn - other.turn ||
    (one.cost.served ?? 0) - (other.cost.served ?? 0) ||
    (one.cost.refused ?? 0) - (other.cost.refused ?? 0)
  );
}

/** The draws of one stimulus in their order, and what they have shown so far: whether more of them are worth their cost. */
export class Lane {
  readonly checks: readonly Check[];
  readonly items: readonly Item[];
  /** The draws that were sent. */
  readonly sent: Draw[] = [];
  readonly #isThrifty: boolean;
  readonly #isUntilDecided: boolean;
  readonly #firstCount: number;
  readonly #enough: number;
  readonly #failures: ReadonlyMap<Check, FailedDraw[]>;
  readonly #undecided: Set<Check>;
  readonly #underWay = new Set<Item>();
  #next = 0;
  #ended = 0;
  #charged = 0;
  /** The service failed, an answer was lost, or a draw was cut: the same may happen to the next one. */
  #isFruitless = false;
  #ready: Ready | undefined;

  /** `draws`: of a stimulus that these checks share; those that failed before come first. */
  constructor(
    checks: readonly [Check, ...Check[]],
    draws: readonly Draw[],
    { caps, known }: Pick<RunOptions, 'caps' | 'known'>,
    info: TargetInfo,
  ) {
    const { firstCount = 1, readsOnly, untilDecided } = checks[0].given;
    const isKnown = areKnown(checks, known);
    const most = Number.isFinite(caps.completions) ? ENOUGH.many : Infinity;
    this.checks = checks;
    this.#isThrifty = info.thrifty;
    this.#isUntilDecided = untilDecided === true;
    // What only reads costs nothing, and needs no second pass.
    this.#firstCount = readsOnly === true ? Infinity : firstCount;
    this.#enough = isKnown ? 1 : info.thrifty ? ENOUGH.few : most;
    this.#failures = new Map(checks.map((check) => [check, []]));
    this.#undecided = new Set(checks);
    const before = draws.filter(({ isRemembered }) => isRemembered === true).length;
    const further = checks.every(({ level }) => level === 'open') ? 'open' : 'second';
    const passOf = (turn: number): Item['pass'] => {
      if (isKnown) return 'known';
      return turn < before ? 'again' : turn < before + this.#firstCount ? 'first' : further;
    };
    this.items = draws.map((draw, turn) => ({ draw, pass: passOf(turn), turn, cost: draw.cost(info) }));
    this.#lookAhead();
  }

  /** The draws on which a check failed, in the order of the plan. */
  failuresOf(check: Check): readonly FailedDraw[] {
    return (this.#failures.get(check) ?? []).toSorted((one, other) => one.entry.nth - other.entry.nth);
  }

  /** The checks that have found a violation. */
  get failed(): readonly Check[] {
    return this.checks.filter((check) => this.#failures.get(check)?.length);
  }

  /** How many draws it has still to send, as far as is known. */
  get left(): number {
    return this.#isSettled ? 0 : this.items.length - this.#next;
  }

  /** Whether what failed before has still to be sent, or is under way. */
  get hasAgain(): boolean {
    return [this.#head, ...this.#underWay].some((item) => item?.pass === 'again');
  }

  /** The next draw that is worth its cost; undefined while those under way may settle the matter. */
  get ready(): Ready | undefined {
    return this.#ready;
  }

  /** Takes the draw that is ready. */
  begin(item: Item): void {
    this.#next += 1;
    this.#underWay.add(item);
    this.#lookAhead();
  }

  end(item: Item, { entry, trial: { exchanges }, trial }: JudgedTrial): void {
    const { draw, pass, cost } = item;
    this.#underWay.delete(item);
    this.sent.push(draw);
    if (pass !== 'again') this.#ended += 1;
    this.#isFruitless ||= isCut(trial) || exchanges.some(isFailure);
    // Counterparts are shared.
    const charged = exchanges.filter((each) => each.id.startsWith(`${entry.id}/`) && isCharged(each));
    this.#charged += Math.max(0, charged.length - (cost.served ?? 0));
    for (const check of this.checks) {
      const ruling = entry.rulings[check.id];
      if (ruling instanceof Error || (ruling && DECIDED.has(ruling.kind))) this.#undecided.delete(check);
      const finding = findingIn(ruling);
      if (finding !== undefined) this.#failures.get(check)?.push({ draw, finding, entry });
    }
    this.#lookAhead();
  }

  /**
   * Once what is under way has changed. The same draws are sent as one after the other: one goes ahead only where it would
   * go however those end.
   */
  #lookAhead(): void {
    const item = this.#head;
    this.#ready = undefined;
    if (item === undefined) return;
    const worst = [...this.#underWay].reduce((sum, { cost }) => sum + Math.max(1, cost.refused ?? 0), 0);
    const mayBeSettled = this.#isUntilDecided || this.#bad + worst >= this.#enough;
    if (item.pass !== 'first' && this.#underWay.size > 0 && mayBeSettled) return;
    this.#ready = { lane: this, item, urgency: this.#urgencyOf(item) };
  }

  get #head(): Item | undefined {
    let item = this.items[this.#next];
    while (item !== undefined && this.#isSkipped(item)) item = this.items[(this.#next += 1)];
    return item;
  }

  #urgencyOf({ draw, pass }: Item): number {
    const isFurther = pass === 'second' || pass === 'open';
    const isPutBack = pass === 'second' && this.#isThrifty && this.#bad > 0;
    const urgency = isFurther && this.#needsAnother ? 'first' : isPutBack ? 'put-back' : pass;
    // What goes alone goes when all others are done: a run has to run dry only once.
    const isLast = draw.isAlone && pass !== 'again';
    return PASSES.indexOf(urgency) + (isLast ? PASSES.length : 0);
  }

  #isSkipped({ pass }: Item): boolean {
    if (pass === 'first') return false;
    return pass === 'again' ? this.#bad >= this.#enough : this.#isSettled;
  }

  /** Whether not every check has a verdict after the first draws, and one more input may give it one. */
  get #needsAnother(): boolean {
    const more = this.#ended - this.#firstCount;
    const isDue = more >= 0 && more < MORE_TRIES && this.#underWay.size === 0;
    return isDue && !this.#isFruitless && this.#undecided.size > 0;
  }

  /** Whether more of it would only cost more. */
  get #isSettled(): boolean {
    return (this.#isUntilDecided && this.#undecided.size === 0) || this.#bad >= this.#enough;
  }

  /** How often every check has failed, or what must be refused was charged. */
  get #bad(): number {
    return Math.max(this.#charged, Math.min(...[...this.#failures.values()].map(({ length }) => length)));
  }
}

const DECIDED: ReadonlySet<string> = new Set(['holds', 'violated', 'observed']);

function isFailure({ outcome }: Exchange): boolean {
  return outcome.kind === 'uncertain' || (outcome.kind === 'answered' && outcome.answer.status >= 500);
}
