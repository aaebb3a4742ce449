import { ServiceError } from '../protocol/service-error.ts';
import { type AnswerRule, AnswerTooLarge, type Chosen, type Found } from './answer-rule.ts';
import { ExpressionTooSlow } from './bounded-expression.ts';
import type { Question } from './question.ts';

/** An armed rule, and how often it was used. */
export interface ArmedAnswer {
  /** Assigned when the rule is armed. A plan never assigns it twice. */
  readonly id: string;
  readonly words: AnswerRule['words'];
  /** Whether it is one of the world: those are there for every sandbox. */
  readonly isOfWorld: boolean;
  /** Matching requests that reached the rule. */
  readonly seen: number;
  readonly answered: number;
  /** Whether it cannot answer any more: `times` is reached, or its expression was too slow. */
  readonly over: boolean;
}

/** What the plan says of a request. Nothing is counted before `take`, so that a refused request takes no turn. */
export interface AnswerOffer {
  /** Undefined: no rule is for the request. */
  readonly chosen: Chosen | undefined;
  /** The ID of the rule that chose it. */
  readonly rule: string | undefined;
  readonly take: () => void;
}

/** The sentence that reports a rule that never answered. */
export function neverGiven({ id, words }: ArmedAnswer): string {
  return `${id} (for ${JSON.stringify(words.match ?? {})}) was never given`;
}

interface Armed {
  readonly id: string;
  readonly rule: AnswerRule;
  readonly isOfWorld: boolean;
  seen: number;
  answered: number;
  isTooSlow: boolean;
}

/** The chosen answers of one sandbox, in order. The first rule that matches a request answers it. */
export class AnswerPlan {
  /** Whether a chat that no rule is for is refused. */
  readonly refusesOthers: boolean;
  readonly #log: (line: string) => void;
  #armed: readonly Armed[] = [];
  #given = 0;

  /** Logs what people should know of: a rule that is not checked, or whose expression is too slow. */
  constructor(log: (line: string) => void, refusesOthers = false) {
    this.refusesOthers = refusesOthers;
    this.#log = log;
  }

  /** Whether every chat gets the model's own words. */
  get isSilent(): boolean {
    return this.#armed.length === 0 && !this.refusesOthers;
  }

  /** Adds rules after the armed ones. */
  arm(rules: readonly AnswerRule[], isOfWorld = false): void {
    const added = rules.map((rule) => {
      this.#given += 1;
      return { id: `answer_${this.#given}`, rule, isOfWorld, seen: 0, answered: 0, isTooSlow: false };
    });
    this.#armed = [...this.#armed, ...added];
    for (const { id, rule } of added)
      if (rule.words.unchecked === true && !isOfWorld)
        this.#log(`${id} is unchecked: it may break the specification`);
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

  rules(): readonly ArmedAnswer[] {
    return this.#armed.map((armed) => {
      const { id, rule, isOfWorld, seen, answered } = armed;
      return { id, words: rule.words, isOfWorld, seen, answered, over: isOver(armed) };
    });
  }

  /** The armed rules that never answered. */
  unused(): readonly ArmedAnswer[] {
    return this.rules().filter(({ answered }) => answered === 0);
  }

  offer(question: Question): AnswerOffer {
    const reached: Armed[] = [];
    for (const armed of this.#armed) {
      const found = this.#match(armed, question);
      if (found === null) continue;
      reached.push(armed);
      if (!isItsTurn(armed)) continue;
      const chosen = this.#choose(armed, question, found);
      return { chosen, rule: armed.id, take: () => count(reached, armed) };
    }
    return { chosen: undefined, rule: undefined, take: () => count(reached) };
  }

  #match(armed: Armed, question: Question): Found | null {
    if (isOver(armed)) return null;
    try {
      return armed.rule.match(question);
    } catch (error) {
      if (!(error instanceof ExpressionTooSlow)) throw error;
      // Asking it again would hold up every request.
      armed.isTooSlow = error.isAtFault;
      this.#log(
        error.isAtFault
          ? `${armed.id} is not used any more: its expression ${error.message}`
          : `${armed.id} was passed over once: the expressions of other rules took the time of the request`,
      );
      return null;
    }
  }

  #choose({ id, rule, answered }: Armed, question: Question, found: Found): Chosen {
    try {
      return rule.choose(question, found, answered);
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error;
      const detail = `${id} ${error.message}`;
      this.#log(detail);
      throw new ServiceError('unanswered', { detail });
    }
  }
}

function isOver({ rule, answered, isTooSlow }: Armed): boolean {
  return isTooSlow || answered >= (rule.words.times ?? Infinity);
}

/** Whether the position of the request is one that the rule answers. */
function isItsTurn({ rule, seen }: Armed): boolean {
  const { nth, every } = rule.words.match ?? {};
  const position = seen + 1;
  return (nth === undefined || position === nth) && (every === undefined || position % every === 0);
}

function count(reached: readonly Armed[], used?: Armed): void {
  for (const armed of reached) armed.seen += 1;
  if (used !== undefined) used.answered += 1;
}
