import { hash } from 'node:crypto';
import type { Endpoint } from '../protocol/request.ts';
import type { Clock } from '../time/clock.ts';
import type { Fault } from './fault.ts';
import type { Phase } from './phases.ts';
import type { Match, Rule } from './rule.ts';

/** What is known of a request so far. */
export interface Subject {
  readonly requestId: string;
  readonly endpoint?: Endpoint;
  /** The name of the key. */
  readonly key?: string;
  readonly model?: string;
  readonly stream?: boolean;
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
}

/** The faults armed in one sandbox, in order. At each phase, the first rule that matches a request triggers. */
export class FaultPlan {
  readonly #seed: number;
  readonly #clock: Clock;
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
      return { id: `rule_${this.#given}`, rule, until: now + rule.ttl, seen: 0, fired: 0 };
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
    const { times, after, match, probability } = armed.rule;
    if (armed.fired >= times || !matchesRequest(match, subject)) return false;
    armed.seen += 1;
    if (match.nth !== undefined ? armed.seen !== match.nth : armed.seen <= after) return false;
    return probability >= 1 || drawsBelow(probability, `${this.#seed} ${armed.id} ${subject.requestId}`);
  }

  #shown({ id, rule, seen, fired, until }: Armed): ArmedRule {
    return { id, rule, seen, fired, over: fired >= rule.times || this.#clock() >= until };
  }
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
