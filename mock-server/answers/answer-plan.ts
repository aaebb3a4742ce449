import { ServiceError } from '../protocol/service-error.ts';
import { type ArmedRule, type Counted, isInPosition, RulePlan } from '../rules/rule-plan.ts';
import { type AnswerRule, AnswerTooLarge, type Chosen, type Found } from './answer-rule.ts';
import { ExpressionTooSlow } from './bounded-expression.ts';
import type { Question } from './question.ts';

/** What the plan says of a request. Nothing is counted before `take`, so that a refused request takes no turn. */
export interface AnswerOffer {
  /** Undefined: no rule is for the request. */
  readonly chosen: Chosen | undefined;
  /** The ID of the rule that chose it. */
  readonly rule: string | undefined;
  readonly take: () => void;
}

/** The sentence that reports a rule that never answered. */
export function neverGiven({ id, rule }: ArmedRule<AnswerRule>): string {
  return `${id} (for ${JSON.stringify(rule.words.match ?? {})}) was never given`;
}

type Armed = Counted<AnswerRule>;

/** The chosen answers of one sandbox. The first rule that matches a request answers it. */
export class AnswerPlan extends RulePlan<AnswerRule> {
  /** Whether a chat that no rule is for is refused. */
  readonly refusesOthers: boolean;
  readonly #log: (line: string) => void;

  /** Logs what people should know of: a rule that is not checked, or whose expression is too slow. */
  constructor(log: (line: string) => void, refusesOthers = false) {
    super('answer');
    this.refusesOthers = refusesOthers;
    this.#log = log;
  }

  /** Whether every chat gets the model's own words. */
  get isSilent(): boolean {
    return this.isEmpty && !this.refusesOthers;
  }

  override arm(rules: readonly AnswerRule[]): readonly ArmedRule<AnswerRule>[] {
    const added = super.arm(rules);
    for (const { id, rule } of added)
      if (rule.words.unchecked === true && rule.isOfWorld !== true)
        this.#log(`${id} is unchecked: it may break the specification`);
    return added;
  }

  offer(question: Question): AnswerOffer {
    const reached: Armed[] = [];
    for (const armed of this.current()) {
      const found = this.#match(armed, question);
      if (found === null) continue;
      reached.push(armed);
      if (!isInPosition(armed.rule.words.match ?? {}, armed.seen + 1)) continue;
      const chosen = this.#choose(armed, question, found);
      return { chosen, rule: armed.id, take: () => count(reached, armed) };
    }
    return { chosen: undefined, rule: undefined, take: () => count(reached) };
  }

  #match(armed: Armed, question: Question): Found | null {
    try {
      return armed.rule.match(question);
    } catch (error) {
      if (!(error instanceof ExpressionTooSlow)) throw error;
      // Asking it again would hold up every request.
      armed.isGivenUp = error.isAtFault;
      this.#log(
        error.isAtFault
          ? `${armed.id} is not used any more: its expression ${error.message}`
          : `${armed.id} was passed over once: the expressions of other rules took the time of the request`,
      );
      return null;
    }
  }

  #choose({ id, rule, fired }: Armed, question: Question, found: Found): Chosen {
    try {
      return rule.choose(question, found, fired);
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error;
      const detail = `${id} ${error.message}`;
      this.#log(detail);
      throw new ServiceError('unanswered', { detail });
    }
  }
}

function count(reached: readonly Armed[], used?: Armed): void {
  for (const armed of reached) armed.seen += 1;
  if (used !== undefined) used.fired += 1;
}
