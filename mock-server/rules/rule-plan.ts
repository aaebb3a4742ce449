import { hash } from 'node:crypto';
import { shortened } from '../protocol/service-error.ts';
import type { Clock } from '../time/clock.ts';
import { asLine } from './line.ts';
import type { Found, RuleWords } from './match.ts';
import type { Phase } from './phases.ts';
import type { Subject } from './subject.ts';

export interface Rule {
  /** As JSON has it, with its defaults: it can be armed again. */
  readonly words: RuleWords;
  /** Where in a request a fault happens. */
  readonly phase?: Phase;
  /** What its match finds in a request; null: it is not for this request. */
  readonly meets: (subject: Subject) => Found | null;
  /** Whether it is one of the world: those are there for every sandbox. */
  readonly isOfWorld?: boolean;
}

/** A rule in a plan, and how often it was used. */
export class ArmedRule<R extends Rule> {
  /** Assigned when the rule is armed. A plan never assigns it twice. */
  readonly id: string;
  readonly rule: R;
  /** Matching requests that reached the rule. */
  seen = 0;
  /** How many of them it was used for. */
  fired = 0;
  readonly #clock: Clock;
  readonly #until: number;
  /** How many requests of each key, connection or Idempotency-Key reached it, if it counts for each. */
  readonly #seenOf = new WeakMap<object, number>();
  /** What stands for each key or Idempotency-Key. */
  readonly #named = new Map<string, object>();

  constructor(id: string, rule: R, clock: Clock) {
    this.id = id;
    this.rule = rule;
    this.#clock = clock;
    this.#until = clock() + (rule.words.ttl ?? Infinity);
  }

  /** Whether it cannot be used any more: `times` is reached, or its `ttl` is over. */
  get over(): boolean {
    return this.fired >= (this.rule.words.times ?? Infinity) || this.#clock() >= this.#until;
  }

  /** Whether it is for a request by its position and its probability. The first so many pass: `after`. */
  isDue(subject: Subject, seed: number): boolean {
    const { match: { nth, every = 1 } = {}, after = 0, probability = 1 } = this.rule.words;
    const at = (this.#seenOf.get(this.#ownerOf(subject)) ?? 0) + 1;
    if (nth === undefined ? at <= after || (at - after) % every !== 0 : at !== nth) return false;
    return probability >= 1 || drawsBelow(probability, `${seed} ${this.id} ${subject.requestId}`);
  }

  count(subject: Subject, isUsed: boolean): void {
    const owner = this.#ownerOf(subject);
    this.#seenOf.set(owner, (this.#seenOf.get(owner) ?? 0) + 1);
    this.seen += 1;
    if (isUsed) this.fired += 1;
  }

  /** Whose requests are counted together. A request without an Idempotency-Key counts for itself. */
  #ownerOf(subject: Subject): object {
    const { per } = this.rule.words.match ?? {};
    if (per === undefined) return this;
    if (per === 'connection') return subject.connection ?? subject;
    const name = per === 'key' ? (subject.key ?? '') : subject.idempotencyKey;
    if (name === undefined) return subject;
    const owner = this.#named.get(name) ?? {};
    this.#named.set(name, owner);
    return owner;
  }
}

/** The rule that is used for a request. */
export interface Use<R extends Rule> {
  readonly id: string;
  readonly rule: R;
  readonly found: Found;
  /** How often it was used before. */
  readonly turn: number;
}

/** What a plan needs of its sandbox. */
interface PlanService {
  readonly seed: number;
  readonly clock: Clock;
}

/** The rules armed in one sandbox, in order. The first rule that matches a request is used. */
export class RulePlan<R extends Rule> {
  readonly #prefix: string;
  readonly #service: PlanService;
  #armed: readonly ArmedRule<R>[] = [];
  #given = 0;

  /** `prefix` begins the IDs of the rules. */
  constructor(prefix: string, service: PlanService) {
    this.#prefix = prefix;
    this.#service = service;
  }

  arm(rules: readonly R[]): readonly ArmedRule<R>[] {
    const { clock } = this.#service;
    const added = rules.map((rule) => {
      this.#given += 1;
      return new ArmedRule(`${this.#prefix}_${this.#given}`, rule, clock);
    });
    this.#armed = [...this.#armed, ...added];
    return added;
  }

  /** Returns false if no rule has this ID. */
  disarm(id: string): boolean {
    const before = this.#armed.length;
    this.#armed = this.#armed.filter((armed) => armed.id !== id);
    return this.#armed.length < before;
  }

  clear(): void {
    this.#armed = [];
  }

  rules(): readonly ArmedRule<R>[] {
    return this.#armed;
  }

  unfired(): readonly ArmedRule<R>[] {
    return this.#armed.filter(({ fired }) => fired === 0);
  }

  /** What the rules of a phase say of a request. Nothing is counted before `take`, so that a refused request can take no turn. */
  offer(subject: Subject, phase?: Phase) {
    const reached: ArmedRule<R>[] = [];
    let use: Use<R> | undefined;
    for (const armed of this.#armed) {
      const { id, rule, fired: turn } = armed;
      const found = rule.phase !== phase || armed.over ? null : rule.meets(subject);
      if (found === null) continue;
      reached.push(armed);
      if (!armed.isDue(subject, this.#service.seed)) continue;
      use = { id, rule, found, turn };
      break;
    }
    const used = use && reached.at(-1);
    return { use, take: (): void => reached.forEach((armed) => armed.count(subject, armed === used)) };
  }

  /** The rule of a phase that is used for a request, if any. Counts it. */
  take(subject: Subject, phase: Phase): Use<R> | undefined {
    const { use, take } = this.offer(subject, phase);
    take();
    return use;
  }
}

/** Draws a number from 0 to 1 for a subject, always the same, and compares it with the limit. */
function drawsBelow(limit: number, subject: string): boolean {
  return Number.parseInt(hash('sha256', subject, 'hex').slice(0, 8), 16) < limit * 2 ** 32;
}

export type ShownRule = ReturnType<typeof shownRule>;

/** A whole rule, in a form that can be armed again, and what became of it. */
export function shownRule({ id, rule, seen, fired, over }: ArmedRule<Rule>) {
  return { id, rule: rule.words, line: asLine({ ...rule.words }), seen, fired, over };
}

const LONGEST = 100;

type Passed = { readonly phases: readonly Phase[] };

/** The sentence that reports a rule that was never used, and why, if the requests are known. */
export function neverUsed(armed: ArmedRule<Rule>, requests?: readonly Passed[]): string {
  const { id, rule } = armed;
  const shown = shortened(asLine({ ...rule.words }), LONGEST);
  return `${id} (${shown}) was never used${requests === undefined ? '' : `: ${whyUnused(armed, requests)}`}`;
}

function whyUnused({ rule: { phase }, seen }: ArmedRule<Rule>, requests: readonly Passed[]): string {
  if (requests.length === 0) return 'no request came';
  const came = requests.length === 1 ? '1 request came' : `${requests.length} requests came`;
  if (seen > 0) return `${came}; ${seen} matched, and none was its turn`;
  if (phase !== undefined && !requests.some(({ phases }) => phases.includes(phase)))
    return `${came}; none reached ${phase}`;
  return `${came}; none matched it while it was armed, or an earlier rule was used`;
}
