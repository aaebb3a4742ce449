import { hash } from 'node:crypto';
import {
  type Counted,
  isInPosition,
  matchesRequest,
  type RequestTraits,
  RulePlan,
} from '../rules/rule-plan.ts';
import type { Clock } from '../time/clock.ts';
import type { Phase } from './catalogue/phases.ts';
import type { Fault } from './fault.ts';
import type { Rule } from './rule.ts';

/** What is known of a request so far. */
export interface Subject extends RequestTraits {
  readonly requestId: string;
  /** Equal for all requests of one connection. */
  readonly connection?: object;
}

export interface FaultMatch {
  readonly ruleId: string;
  readonly fault: Fault;
}

/** The faults armed in one sandbox. At each phase, the first rule that matches a request triggers. */
export class FaultPlan extends RulePlan<Rule> {
  readonly #seed: number;
  /** An object for each name of a key, to count with. */
  readonly #keys = new Map<string, object>();
  /** For a rule that counts for each key or connection: how many requests of each reached it. */
  readonly #seenPer = new WeakMap<Counted<Rule>, WeakMap<object, number>>();

  constructor(seed: number, clock: Clock) {
    super('rule', clock);
    this.#seed = seed;
  }

  /** The fault that triggers for a request at a phase, if any. Counts it. */
  match(phase: Phase, subject: Subject): FaultMatch | undefined {
    if (this.isEmpty) return undefined;
    const armed = this.current().find((one) => one.rule.phase === phase && this.#triggers(one, subject));
    if (armed === undefined) return undefined;
    armed.fired += 1;
    return { ruleId: armed.id, fault: armed.rule.fault };
  }

  #triggers(armed: Counted<Rule>, subject: Subject): boolean {
    const { match, after, probability } = armed.rule;
    if (!matchesRequest(match, subject)) return false;
    armed.seen += 1;
    if (!isInPosition(match, this.#count(armed, subject), after)) return false;
    return probability >= 1 || drawsBelow(probability, `${this.#seed} ${armed.id} ${subject.requestId}`);
  }

  /** The number of this request among those that the rule counts together. */
  #count(armed: Counted<Rule>, { key = '', connection }: Subject): number {
    const { per } = armed.rule.match;
    if (per === undefined) return armed.seen;
    const owner = (per === 'connection' ? connection : undefined) ?? this.#ownerOf(key);
    const seen = this.#seenPer.get(armed) ?? new WeakMap<object, number>();
    const count = (seen.get(owner) ?? 0) + 1;
    this.#seenPer.set(armed, seen.set(owner, count));
    return count;
  }

  #ownerOf(key: string): object {
    const owner = this.#keys.get(key) ?? {};
    this.#keys.set(key, owner);
    return owner;
  }
}

/** Draws a number from 0 to 1 for a subject, always the same, and compares it with the limit. */
function drawsBelow(limit: number, subject: string): boolean {
  return Number.parseInt(hash('sha256', subject, 'hex').slice(0, 8), 16) < limit * 2 ** 32;
}
