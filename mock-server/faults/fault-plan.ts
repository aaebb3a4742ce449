import { hash } from 'node:crypto';
import type { Endpoint } from '../protocol/request.ts';
import type { Clock } from '../time/clock.ts';
import type { Phase } from './catalogue/phases.ts';
import type { Fault } from './fault.ts';
import type { Match, Rule } from './rule.ts';

/** What is known of a request so far. */
export interface Subject {
  readonly requestId: string;
  readonly endpoint?: Endpoint;
  /** The name of the key. */
  readonly key?: string;
  readonly model?: string;
  readonly stream?: boolean;
  /** Equal for all requests of one connection. */
  readonly connection?: object;
}

/** An armed rule, and how often it was used. */
export interface ArmedRule {
  /** Assigned when the rule is armed. A plan never assigns it twice. */
  readonly id: string;
  readonly rule: Rule;
  /** Matching requests that reached the rule. */
  readonly seen: number;
  readonly fired: number;
  /** Whether it cannot trigger any more: `times` is reached, or its `ttl` is over. */
  readonly over: boolean;
}

export interface FaultMatch {
  readonly ruleId: string;
  readonly fault: Fault;
}

interface Armed {
  readonly id: string;
  readonly rule: Rule;
  readonly until: number;
  seen: number;
  fired: number;
  /** Where the rule counts for each key or connection: how many of its requests reached the rule. */
  readonly seenPer: WeakMap<object, number>;
}

/** The faults armed in one sandbox, in order. At each phase, the first rule that matches a request triggers. */
export class FaultPlan {
  readonly #seed: number;
  readonly #clock: Clock;
  /** An object for each name of a key, to count with. */
  readonly #keys = new Map<string, object>();
  #armed: Armed[] = [];
  #given = 0;

  constructor(seed: number, clock: Clock) {
    this.#seed = seed;
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#armed.length === 0;
  }

  /** Adds rules after the armed ones. */
  arm(rules: readonly Rule[]): readonly ArmedRule[] {
    const now = this.#clock();
    const added = rules.map((rule) => {
      this.#given += 1;
      return {
        id: `rule_${this.#given}`,
        rule,
        until: now + rule.ttl,
        seen: 0,
        fired: 0,
        seenPer: new WeakMap<object, number>(),
      };
    });
    this.#armed = [...this.#armed, ...added];
    return added.map((armed) => this.#shown(armed));
  }

  /** Returns false if no rule has this ID. */
  disarm(id: string): boolean {
    const rest = this.#armed.filter((armed) => armed.id !== id);
    const found = rest.length < this.#armed.length;
    this.#armed = rest;
    return found;
  }

  clear(): void {
    this.#armed = [];
  }

  rules(): readonly ArmedRule[] {
    return this.#armed.map((armed) => this.#shown(armed));
  }

  /** The armed rules that never triggered. */
  unfired(): readonly ArmedRule[] {
    return this.rules().filter(({ fired }) => fired === 0);
  }

  /** The fault that triggers for a request at a phase, if any. Counts it. */
  match(phase: Phase, subject: Subject): FaultMatch | undefined {
    const now = this.#clock();
    for (const armed of this.#armed) {
      if (armed.rule.phase === phase && now < armed.until && this.#triggers(armed, subject)) {
        armed.fired += 1;
        return { ruleId: armed.id, fault: armed.rule.fault };
      }
    }
    return undefined;
  }

  #triggers(armed: Armed, subject: Subject): boolean {
    const { times, match, probability } = armed.rule;
    if (armed.fired >= times || !matchesRequest(match, subject)) return false;
    armed.seen += 1;
    if (!isInPosition(armed.rule, this.#count(armed, subject))) return false;
    return probability >= 1 || drawsBelow(probability, `${this.#seed} ${armed.id} ${subject.requestId}`);
  }

  /** The number of this request among those that the rule counts together. */
  #count({ rule, seen, seenPer }: Armed, { key = '', connection }: Subject): number {
    const { per } = rule.match;
    if (per === undefined) return seen;
    const owner = (per === 'connection' ? connection : undefined) ?? this.#ownerOf(key);
    const count = (seenPer.get(owner) ?? 0) + 1;
    seenPer.set(owner, count);
    return count;
  }

  #ownerOf(key: string): object {
    const owner = this.#keys.get(key) ?? {};
    this.#keys.set(key, owner);
    return owner;
  }

  #shown({ id, rule, seen, fired, until }: Armed): ArmedRule {
    return { id, rule, seen, fired, over: fired >= rule.times || this.#clock() >= until };
  }
}

function isInPosition({ match: { nth, every }, after }: Rule, count: number): boolean {
  if (nth !== undefined) return count === nth;
  return count > after && (every === undefined || (count - after) % every === 0);
}

function matchesRequest(match: Match, { endpoint, key, model, stream }: Subject): boolean {
  return (
    (match.endpoint === undefined || match.endpoint === endpoint) &&
    (match.key === undefined || match.key === key) &&
    (match.model === undefined || match.model === model) &&
    (match.stream === undefined || match.stream === stream)
  );
}

/** Draws a number from 0 to 1 for a subject, always the same, and compares it with the limit. */
function drawsBelow(limit: number, subject: string): boolean {
  return Number.parseInt(hash('sha256', subject, 'hex').slice(0, 8), 16) < limit * 2 ** 32;
}
