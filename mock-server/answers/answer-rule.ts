import { RuleError } from '../protocol/rule-line.ts';
import type { Step } from '../protocol/service-error.ts';
import type { AnswerWords } from './answer-schema.ts';
import type { Question } from './question.ts';

/** What is said instead of the model's own answer, to one request. A repeat of its Idempotency-Key gets it again. */
export interface Chosen {
  /** In UTF-8, a character a byte, whole. Absent: the model's own words. */
  readonly text?: string;
  /** The length of the model's own words. Absent: as they come. */
  readonly tokens?: number;
  readonly finishReason?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Milliseconds that the completion takes. Absent: as the world says. */
  readonly latency?: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Whether it is sent as it is, even if that breaks the specification. */
  readonly isUnchecked: boolean;
}

/** One rule, ready to be armed. */
export interface AnswerRule {
  /** As it was written, in a form that can be armed again. */
  readonly words: AnswerWords;
  /** What the rule's expression found; null: the rule is not for this request. Does not look at the position. */
  readonly match: (question: Question) => Found | null;
  /** What is chosen for the request that the rule answers as its `turn`th, from 0. */
  readonly choose: (question: Question, found: Found, turn: number) => Chosen;
}

/** The groups of an expression, by number and by name; empty where the rule has none. */
export type Found = Readonly<Record<string, string>>;

/** A rule that cannot be armed. Its message is one line: the place, and what would be possible there. */
export class AnswerRuleError extends RuleError {
  override readonly name = 'AnswerRuleError';
}

/** What a rule makes of a request is more than the mock sends. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** The names that a rule of a world can use. */
export interface AnswerNames {
  readonly models: readonly { readonly id: string }[];
  readonly keys: readonly { readonly name: string }[];
}

/** A rule, as far as it names something of a world. */
interface NamingRule {
  readonly match?: { readonly model?: string; readonly key?: string };
}

/** A rule with a key or a model that its world does not have could never match. */
export function unknownNames(
  rules: readonly NamingRule[],
  { models, keys }: AnswerNames,
): readonly { readonly path: readonly Step[]; readonly problem: string }[] {
  const known = { model: models.map(({ id }) => id), key: keys.map(({ name }) => name) };
  return rules.flatMap(({ match = {} }, index) =>
    (['model', 'key'] as const).flatMap((field) => {
      const given = match[field];
      if (given === undefined || known[field].includes(given)) return [];
      const problem = `no ${field} of this world; it has ${known[field].join(', ')}`;
      return [{ path: [index, 'match', field], problem }];
    }),
  );
}
