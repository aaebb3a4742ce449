import type { Endpoint } from '../protocol/request.ts';
import type { Clock } from '../time/clock.ts';

/** A rule in a plan, and how often it was used. */
export interface ArmedRule<Rule> {
  /** Assigned when the rule is armed. A plan never assigns it twice. */
  readonly id: string;
  readonly rule: Rule;
  /** Matching requests that reached the rule. */
  readonly seen: number;
  /** How many of them it was used for. */
  readonly fired: number;
  /** Whether it cannot be used any more: `times` is reached, its `ttl` is over, or its plan gave it up. */
  readonly over: boolean;
}

/** What a plan counts of a rule. */
export interface Counted<Rule> extends Pick<ArmedRule<Rule>, 'id' | 'rule'> {
  readonly until: number;
  seen: number;
  fired: number;
  isGivenUp: boolean;
}

/** How long a rule is used: so many times, and so many milliseconds. */
interface Limits {
  readonly times: number;
  readonly ttl?: number;
}

/** The rules armed in one sandbox, in order. */
export class RulePlan<Rule extends Limits> {
  readonly #prefix: string;
  readonly #clock: Clock;
  #armed: readonly Counted<Rule>[] = [];
  #given = 0;

  /** `prefix` begins the IDs of the rules. */
  constructor(prefix: string, clock: Clock = () => 0) {
    this.#prefix = prefix;
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#armed.length === 0;
  }

  /** Adds rules after the armed ones. */
  arm(rules: readonly Rule[]): readonly ArmedRule<Rule>[] {
    const now = this.#clock();
    const added = rules.map((rule) => {
      this.#given += 1;
      const id = `${this.#prefix}_${this.#given}`;
      return { id, rule, until: now + (rule.ttl ?? Infinity), seen: 0, fired: 0, isGivenUp: false };
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

  rules(): readonly ArmedRule<Rule>[] {
    return this.#armed.map((armed) => this.#shown(armed));
  }

  /** The armed rules that were never used. */
  unfired(): readonly ArmedRule<Rule>[] {
    return this.rules().filter(({ fired }) => fired === 0);
  }

  /** The rules that can still be used. */
  protected current(): readonly Counted<Rule>[] {
    const now = this.#clock();
    return this.#armed.filter((armed) => !isOver(armed, now));
  }

  #shown(armed: Counted<Rule>): ArmedRule<Rule> {
    const { id, rule, seen, fired } = armed;
    return { id, rule, seen, fired, over: isOver(armed, this.#clock()) };
  }
}

function isOver({ rule, until, fired, isGivenUp }: Counted<Limits>, now: number): boolean {
  return isGivenUp || fired >= rule.times || now >= until;
}

/** What a rule can be for, and what is known of a request so far. */
export interface RequestTraits {
  readonly endpoint?: Endpoint;
  /** The name of the key. */
  readonly key?: string;
  readonly model?: string;
  readonly stream?: boolean;
}

/** Whether a request has all that a rule is for. What is not known of it yet, it does not have. */
export function matchesRequest(
  match: RequestTraits,
  { endpoint, key, model, stream }: RequestTraits,
): boolean {
  return (
    (match.endpoint === undefined || match.endpoint === endpoint) &&
    (match.key === undefined || match.key === key) &&
    (match.model === undefined || match.model === model) &&
    (match.stream === undefined || match.stream === stream)
  );
}

interface Position {
  readonly nth?: number;
  readonly every?: number;
}

/** Whether a rule is for the request that matches it as the `count`th. The first so many pass: `after`. */
export function isInPosition({ nth, every }: Position, count: number, after = 0): boolean {
  if (nth !== undefined) return count === nth;
  return count > after && (every === undefined || (count - after) % every === 0);
}
