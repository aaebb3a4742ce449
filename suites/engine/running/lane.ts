import type { Draw } from '../inputs/draws.ts';
import type { JudgedTrial } from '../journal/recording.ts';
import type { Check } from '../model/check.ts';
import type { TrialEntry } from '../model/entry-schema.ts';
import { type Exchange, isUnanswered } from '../model/exchange.ts';
import { type Finding, findingIn, isDecision } from '../model/ruling.ts';
import { enoughFailures, type RunOptions } from '../model/run.ts';
import { type Cost, STAGES, type Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { isCharged } from '../sending/budget.ts';
import { isCut } from '../summary/findings.ts';
import type { PlannedStimulus } from './planned-draws.ts';

/** How many more draws come with the first ones where those decided nothing. */
const MORE_TRIES = 3;

/**
 * The parts of a run, the more urgent first: what failed before, every clause once, second inputs, those of a stimulus whose
 * checks have failed, what only observes, and what is known to fail.
 */
export const PASSES = ['again', 'first', 'second', 'put-back', 'open', 'known'] as const;

type Pass = (typeof PASSES)[number];

/** A draw, and what decides its place in the plan. */
export interface Item {
  readonly draw: Draw;
  readonly pass: Pass;
  /** Its place among the draws of its stimulus. */
  readonly turn: number;
  readonly cost: Cost;
  /** Its place among the stages. */
  readonly stage: number;
  /** Its place in the plan, which does not depend on the order of arrival. */
  nth: number;
}

/** An item that can be sent now, and in which pass. */
export interface Ready {
  readonly lane: Lane;
  readonly item: Item;
  readonly pass: Pass;
  /** A lower number goes sooner. */
  readonly urgency: number;
}

/** A draw that was sent, and on which a check failed. */
export interface FailedDraw {
  readonly draw: Draw;
  readonly finding: Finding;
  readonly entry: TrialEntry;
}

/** The draws of one stimulus in their order, and what they have shown so far: whether more of them are worth their cost. */
export class Lane {
  readonly checks: readonly Check[];
  readonly items: readonly Item[];
  /** The next draw that is worth its cost; undefined while those under way may settle the matter. */
  ready: Ready | undefined;
  /** The next draw, where it goes alone and a check may have no verdict without it, also while others are under way. */
  firstAlone: Item | undefined;
  readonly #ended: (JudgedTrial & { readonly item: Item })[] = [];
  readonly #underWay = new Set<Item>();
  readonly #stimulus: Stimulus;
  readonly #isThrifty: boolean;
  readonly #enough: number;
  #next = 0;
  readonly #failures = new Map<Check, number>();
  readonly #undecided: Set<Check>;
  /** Completions that were charged for what must be refused. */
  #charged = 0;
  /** How often every check has failed, or what must be refused was charged. */
  #bad = 0;
  /** Whether a request was not answered: the target may not have survived it. */
  #isLost = false;
  /** Whether the service failed, an answer was lost, or a draw was cut, since the same may happen again. */
  #hadTrouble = false;

  constructor(planned: PlannedStimulus, options: Pick<RunOptions, 'caps' | 'known'>, info: TargetInfo) {
    const { stimulus, checks, draws } = planned;
    const { caps, known } = options;
    const isKnown = known !== undefined && checks.every(({ id }) => known.checks.has(id));
    this.checks = checks;
    this.#undecided = new Set(checks);
    this.#stimulus = stimulus;
    this.#isThrifty = info.thrifty;
    this.#enough = isKnown ? 1 : enoughFailures(info.thrifty, caps.completions);
    const before = draws.filter(({ isRemembered }) => isRemembered === true).length;
    const further = checks.every(({ level }) => level === 'open') ? 'open' : 'second';
    const passOf = (turn: number): Pass => {
      if (isKnown) return 'known';
      return turn < before ? 'again' : turn < before + firstCountOf(stimulus) ? 'first' : further;
    };
    this.items = draws.map((draw, turn) => ({
      draw,
      pass: passOf(turn),
      turn,
      cost: draw.cost(info),
      stage: STAGES.indexOf(stimulus.stage),
      nth: 0,
    }));
    this.#lookAhead();
  }

  /** The draws that were sent. */
  get sent(): readonly Draw[] {
    return this.#ended.map(({ item }) => item.draw);
  }

  /** The draws on which a check failed, in the order of the plan. */
  failuresOf({ id }: Check): readonly FailedDraw[] {
    return this.#ended
      .flatMap(({ item: { draw }, entry }) => {
        const finding = findingIn(entry.rulings[id]);
        return finding === undefined ? [] : [{ draw, finding, entry }];
      })
      .toSorted((one, other) => one.entry.nth - other.entry.nth);
  }

  /** How many draws it has still to send, as far as is known. */
  get left(): number {
    return this.#isSettled ? 0 : this.items.length - this.#next;
  }

  /** Whether what failed before has still to be sent, or is under way. */
  get hasAgain(): boolean {
    return [this.#head, ...this.#underWay].some((item) => item?.pass === 'again');
  }

  /** Once what is under way has changed. */
  #lookAhead(): void {
    const item = this.#head;
    this.ready = item && this.#readyOf(item);
    const isFirst = item?.draw.isAlone === true && this.#passOf(item, this.#mayNeedAnother) === 'first';
    this.firstAlone = isFirst ? item : undefined;
  }

  /** The same draws are sent as one after the other: one goes ahead only where it would go however those under way end. */
  #readyOf(item: Item): Ready | undefined {
    const worst = [...this.#underWay].reduce((sum, { cost }) => sum + Math.max(1, cost.refused ?? 0), 0);
    const mayBeSettled = this.#stimulus.untilDecided || this.#bad + worst >= this.#enough;
    if (item.pass !== 'first' && this.#underWay.size > 0 && mayBeSettled) return undefined;
    const needsAnother = this.#underWay.size === 0 && this.#mayNeedAnother;
    const pass = this.#passOf(item, needsAnother);
    return { lane: this, item, pass, urgency: urgencyOf(item, pass) };
  }

  /** Takes the draw that is ready. */
  begin(item: Item): void {
    this.#next += 1;
    this.#underWay.add(item);
    this.#lookAhead();
  }

  end(item: Item, judged: JudgedTrial): void {
    this.#underWay.delete(item);
    this.#ended.push({ item, ...judged });
    const { trial } = judged;
    this.#isLost ||= trial.exchanges.some(isUnanswered);
    this.#hadTrouble ||= isCut(trial) || trial.exchanges.some(isFailure);
    this.#charged += overcharges({ item, ...judged });
    for (const check of this.checks) {
      const ruling = judged.entry.rulings[check.id];
      if (findingIn(ruling)) this.#failures.set(check, (this.#failures.get(check) ?? 0) + 1);
      if (ruling instanceof Error || (ruling && isDecision(ruling))) this.#undecided.delete(check);
    }
    const failures = this.checks.map((check) => this.#failures.get(check) ?? 0);
    this.#bad = Math.max(this.#charged, Math.min(...failures));
    this.#lookAhead();
  }

  get #head(): Item | undefined {
    while (this.#isSkipped(this.items[this.#next])) this.#next += 1;
    return this.items[this.#next];
  }

  #isSkipped(item: Item | undefined): boolean {
    if (item === undefined || item.pass === 'first') return false;
    return item.pass === 'again' ? this.#bad >= this.#enough : this.#isSettled;
  }

  /** Further draws are as urgent as first ones where those decided nothing, and wait where they only failed. */
  #passOf({ pass }: Item, needsAnother: boolean): Pass {
    if (pass !== 'second' && pass !== 'open') return pass;
    if (needsAnother) return 'first';
    return pass === 'second' && this.#isThrifty && this.#bad > 0 ? 'put-back' : pass;
  }

  /** Whether not every check has a verdict after the first draws, unless those under way give it one, and one more input may. */
  get #mayNeedAnother(): boolean {
    if (this.#undecided.size === 0 || this.#hadTrouble) return false;
    const begun = [...this.#ended.map(({ item }) => item), ...this.#underWay];
    const more = begun.filter(({ pass }) => pass !== 'again').length - firstCountOf(this.#stimulus);
    return more >= 0 && more < MORE_TRIES;
  }

  /** Whether more of it would only cost more. */
  get #isSettled(): boolean {
    const { alone, untilDecided } = this.#stimulus;
    const isDecided = untilDecided === true && this.#undecided.size === 0;
    return (alone === 'last' && this.#isLost) || isDecided || this.#bad >= this.#enough;
  }
}

/** How many draws of a stimulus exercise its clauses. What only reads costs nothing, and needs no second pass. */
export function firstCountOf({ firstCount = 1, readsOnly }: Stimulus): number {
  return readsOnly === true ? Infinity : firstCount;
}

/** What goes alone goes when all others are done: a run has to run dry only once. */
function urgencyOf({ draw }: Item, pass: Pass): number {
  const isLater = draw.isAlone && pass !== 'again';
  const rounds = draw.stimulus.alone === 'last' ? 2 : Number(isLater);
  return PASSES.indexOf(pass) + rounds * PASSES.length;
}

/** The completions that were charged for what must be refused. Counterparts are shared. */
function overcharges({ item, entry, trial }: JudgedTrial & { readonly item: Item }): number {
  const charged = trial.exchanges.filter((each) => each.id.startsWith(`${entry.id}/`) && isCharged(each));
  return Math.max(0, charged.length - (item.cost.served ?? 0));
}

function isFailure({ outcome }: Exchange): boolean {
  return outcome.kind === 'uncertain' || (outcome.kind === 'answered' && outcome.answer.status >= 500);
}
