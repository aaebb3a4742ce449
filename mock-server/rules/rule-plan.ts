import { hash } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import type { Found, RuleWords } from './match.ts';
import type { Phase } from './phases.ts';
import type { Subject } from './subject.ts';

/** One rule, ready to be armed. */
export interface Rule {
  /** As JSON has it, with its defaults: it can be armed again. */
  readonly words: RuleWords;
  /** Where in a request a fault happens. */
  readonly phase?: Phase;
  /** What its match finds in a request; null: it is not for this request. */
  readonly meets: (subject: Subject) => Found | null;
  /** What is logged when it is armed. */
  readonly notice?: string;
  /** Whether it is one of the world: those are there for every sandbox. */
  readonly isOfWorld?: boolean;
}

/** A rule in a plan, and how often it was used. */
export interface ArmedRule<R extends Rule> {
  /** Assigned when the rule is armed. A plan never assigns it twice. */
  readonly id: string;
  readonly rule: R;
  /** Matching requests that reached the rule. */
  readonly seen: number;
  /** How many of them it was used for. */
  readonly fired: number;
  /** Whether it cannot be used any more: `times` is reached, or its `ttl` is over. */
  readonly over: boolean;
}

/** What a plan counts of a rule. */
interface Counted<R extends Rule> extends Pick<ArmedRule<R>, 'id' | 'rule'> {
  readonly until: number;
  seen: number;
  fired: number;
  /** How many requests of each key, connection or Idempotency-Key reached it, if it counts for each. */
  readonly seenOf: Map<string, number>;
  readonly seenOn: WeakMap<object, number>;
}

/** The rule that is used for a request. */
export interface Use<R extends Rule> {
  readonly id: string;
  readonly rule: R;
  readonly found: Found;
  /** How often it was used before. */
  readonly turn: number;
}

/** What a plan says of a request. Nothing is counted before `take`, so that a refused request can take no turn. */
export interface Offer<R extends Rule> {
  /** Undefined: no rule is for the request. */
  readonly use: Use<R> | undefined;
  readonly take: () => void;
}

/** What a plan needs of its sandbox. */
interface PlanService {
  readonly seed: number;
  readonly clock: Clock;
  /** Hears of rules that people should know of. */
  readonly log: (line: string) => void;
}

/** The rules armed in one sandbox, in order. The first rule that matches a request is used. */
export class RulePlan<R extends Rule> {
  readonly #prefix: string;
  readonly #service: PlanService;
  #armed: readonly Counted<R>[] = [];
  #given = 0;

  /** `prefix` begins the IDs of the rules. */
  constructor(prefix: string, service: PlanService) {
    this.#prefix = prefix;
    this.#service = service;
  }

  get isEmpty(): boolean {
    return this.#armed.length === 0;
  }

  /** Adds rules after the armed ones. */
  arm(rules: readonly R[]): readonly ArmedRule<R>[] {
    const now = this.#service.clock();
    const added = rules.map((rule): Counted<R> => {
      this.#given += 1;
      const { words, notice, isOfWorld } = rule;
      const id = `${this.#prefix}_${this.#given}`;
      if (notice !== undefined && isOfWorld !== true) this.#service.log(`${id} ${notice}`);
      const until = now + (words.ttl ?? Infinity);
      return { id, rule, until, seen: 0, fired: 0, seenOf: new Map(), seenOn: new WeakMap() };
    });
    this.#armed = [...this.#armed, ...added];
    return added.map((armed) => this.#shown(armed));
  }

  /** Returns false if no rule has this ID. */
  disarm(id: string): boolean {
    const rest = this.#armed.filter((armed) => armed.id !== id);
    const isFound = rest.length < this.#armed.length;
    this.#armed = rest;
    return isFound;
  }

  clear(): void {
    this.#armed = [];
  }

  rules(): readonly ArmedRule<R>[] {
    return this.#armed.map((armed) => this.#shown(armed));
  }

  /** The armed rules that were never used. */
  unfired(): readonly ArmedRule<R>[] {
    return this.rules().filter(({ fired }) => fired === 0);
  }

  /** What the rules of a phase say of a request. */
  offer(subject: Subject, phase?: Phase): Offer<R> {
    if (this.isEmpty) return { use: undefined, take: () => {} };
    const now = this.#service.clock();
    const reached: Counted<R>[] = [];
    for (const armed of this.#armed) {
      if (armed.rule.phase !== phase || isOver(armed, now)) continue;
      const found = armed.rule.meets(subject);
      if (found === null) continue;
      reached.push(armed);
      if (!this.#isInPosition(armed, subject)) continue;
      const { id, rule, fired } = armed;
      return { use: { id, rule, found, turn: fired }, take: () => count(reached, subject, armed) };
    }
    return { use: undefined, take: () => count(reached, subject) };
  }

  /** The rule of a phase that is used for a request, if any. Counts it. */
  take(subject: Subject, phase: Phase): Use<R> | undefined {
    const { use, take } = this.offer(subject, phase);
    take();
    return use;
  }

  /** The first so many pass: `after`. */
  #isInPosition(armed: Counted<R>, subject: Subject): boolean {
    const { match: { nth, every } = {}, after = 0, probability = 1 } = armed.rule.words;
    const at = seenBefore(armed, subject) + 1;
    if (nth === undefined ? at <= after || (at - after) % (every ?? 1) !== 0 : at !== nth) return false;
    const { seed } = this.#service;
    return probability >= 1 || drawsBelow(probability, `${seed} ${armed.id} ${subject.requestId}`);
  }

  #shown(armed: Counted<R>): ArmedRule<R> {
    const { id, rule, seen, fired } = armed;
    return { id, rule, seen, fired, over: isOver(armed, this.#service.clock()) };
  }
}

function isOver({ rule, until, fired }: Counted<Rule>, now: number): boolean {
  return fired >= (rule.words.times ?? Infinity) || now >= until;
}

/** Who has the requests that a rule counts together. A request without an Idempotency-Key counts for itself. */
function ownerOf({ rule }: Counted<Rule>, subject: Subject): string | object | undefined {
  const { per } = rule.words.match ?? {};
  if (per === undefined) return undefined;
  if (per === 'key') return subject.key ?? '';
  return (per === 'connection' ? subject.connection : subject.idempotencyKey) ?? subject;
}

function seenBefore(armed: Counted<Rule>, subject: Subject): number {
  const owner = ownerOf(armed, subject);
  if (owner === undefined) return armed.seen;
  return (typeof owner === 'string' ? armed.seenOf.get(owner) : armed.seenOn.get(owner)) ?? 0;
}

function count(reached: readonly Counted<Rule>[], subject: Subject, used?: Counted<Rule>): void {
  for (const armed of reached) {
    const owner = ownerOf(armed, subject);
    const seen = seenBefore(armed, subject) + 1;
    if (typeof owner === 'string') armed.seenOf.set(owner, seen);
    else if (owner !== undefined) armed.seenOn.set(owner, seen);
    armed.seen += 1;
  }
  if (used !== undefined) used.fired += 1;
}

/** Draws a number from 0 to 1 for a subject, always the same, and compares it with the limit. */
function drawsBelow(limit: number, subject: string): boolean {
  return Number.parseInt(hash('sha256', subject, 'hex').slice(0, 8), 16) < limit * 2 ** 32;
}
