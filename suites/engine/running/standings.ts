import type { Draw } from '../inputs/draws.ts';
import type { Check, JudgedDraw } from '../model/check.ts';
import { type Exchange, isChargeable } from '../model/exchange.ts';
import { areKnown, type RunOptions } from '../model/run.ts';
import type { Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { chargeOf } from '../sending/budget.ts';
import { isCut } from '../summary/tally.ts';

/** Failures of every check of a stimulus, or charges for what must be refused, after which a run sends no more of it. */
const ENOUGH = { few: 3, many: 20 } as const;

/** How many more draws the first pass tries where the first ones decided nothing. */
const MORE_TRIES = 3;

/** What the draws of each stimulus have shown so far: whether more of them are worth their cost. */
export class Standings {
  readonly #checksOf: ReadonlyMap<Stimulus, readonly Check[]>;
  readonly #info: TargetInfo;
  readonly #enough: number;
  readonly #known: RunOptions['known'];
  readonly #failures = new Map<Check, number>();
  readonly #decided = new Set<Check>();
  readonly #charged = new Map<Stimulus, number>();
  readonly #sent = new Map<Stimulus, number>();
  readonly #fruitless = new Set<Stimulus>();

  constructor(
    checksOf: ReadonlyMap<Stimulus, readonly Check[]>,
    { caps, known }: Pick<RunOptions, 'caps' | 'known'>,
    info: TargetInfo,
  ) {
    this.#checksOf = checksOf;
    this.#info = info;
    this.#known = known;
    const most = Number.isFinite(caps.completions) ? ENOUGH.many : Infinity;
    this.#enough = info.thrifty ? ENOUGH.few : most;
  }

  /** The checks that have found a violation. */
  get failed(): readonly Check[] {
    return [...this.#failures.keys()];
  }

  /** Whether a draw waits for the one before it of the same stimulus, because that may settle it. */
  waits(stimulus: Stimulus): boolean {
    return this.#info.thrifty || this.#isKnown(stimulus);
  }

  note({ stimulus, cost, isRemembered }: Draw, judged: JudgedDraw): void {
    const { rulings, trial } = judged;
    if (isRemembered !== true) add(this.#sent, stimulus, 1);
    add(this.#charged, stimulus, chargedInVain(judged, cost(this.#info).served ?? 0));
    for (const [check, ruling] of rulings) {
      if (!(ruling instanceof Error) && ruling.kind === 'violated') add(this.#failures, check, 1);
      if (ruling instanceof Error || DECIDED.has(ruling.kind)) this.#decided.add(check);
    }
    if (isCut(trial) || trial.exchanges.some(isFailure)) this.#fruitless.add(stimulus);
  }

  /** Whether the first pass tries one more input: not every check has a verdict yet, and another may give it one. */
  needsAnother(stimulus: Stimulus): boolean {
    const { firstCount = 1 } = stimulus;
    const more = (this.#sent.get(stimulus) ?? 0) - firstCount;
    if (this.#fruitless.has(stimulus) || more < 0 || more >= MORE_TRIES) return false;
    return !this.#isDecided(stimulus);
  }

  /** Whether its checks have failed, or what must be refused was charged: others have their second inputs first. */
  isPutBack(stimulus: Stimulus): boolean {
    return this.#isDone(stimulus) || (this.#info.thrifty && this.isSpoilt(stimulus, 1));
  }

  /** Whether more of it would only cost more. */
  isSettled(stimulus: Stimulus): boolean {
    return this.#isDone(stimulus) || this.isSpoilt(stimulus);
  }

  /** Whether its checks have failed so often, or what must be refused was charged, that more of it would only cost more. */
  isSpoilt(stimulus: Stimulus, enough = this.#isKnown(stimulus) ? 1 : this.#enough): boolean {
    if ((this.#charged.get(stimulus) ?? 0) >= enough) return true;
    return this.#checks(stimulus).every((check) => (this.#failures.get(check) ?? 0) >= enough);
  }

  #isKnown(stimulus: Stimulus): boolean {
    return areKnown(this.#checks(stimulus), this.#known);
  }

  #isDone(stimulus: Stimulus): boolean {
    return stimulus.untilDecided === true && this.#isDecided(stimulus);
  }

  #isDecided(stimulus: Stimulus): boolean {
    return this.#checks(stimulus).every((check) => this.#decided.has(check));
  }

  #checks(stimulus: Stimulus): readonly Check[] {
    return this.#checksOf.get(stimulus) ?? [];
  }
}

const DECIDED: ReadonlySet<string> = new Set(['holds', 'violated', 'observed']);

function add<Key>(counts: Map<Key, number>, key: Key, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

/** How many of its own requests may have been charged beyond those that must be served. Counterparts are shared. */
function chargedInVain({ id, trial }: JudgedDraw, served: number): number {
  const charged = trial.exchanges.filter(
    (exchange) =>
      exchange.id.startsWith(`${id}/`) &&
      isChargeable(exchange.request) &&
      chargeOf(exchange.outcome, 0, exchange.armed).completed,
  );
  return Math.max(0, charged.length - served);
}

/** The service failed, or its answer was lost: the same may happen to the next one. */
function isFailure({ outcome }: Exchange): boolean {
  return outcome.kind === 'uncertain' || (outcome.kind === 'answered' && outcome.answer.status >= 500);
}
