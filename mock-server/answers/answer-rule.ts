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
  readonly times: number;
  /** Whether it is one of the world: those are there for every sandbox. */
  readonly isOfWorld?: boolean;
  /** What the rule's expression found; null: the rule is not for this request. Does not look at the position. */
  readonly match: (question: Question) => Found | null;
  /** What is chosen for the request that the rule answers as its `turn`th, from 0. */
  readonly choose: (question: Question, found: Found, turn: number) => Chosen;
}

/** The groups of an expression, by number and by name; empty where the rule has none. */
export type Found = Readonly<Record<string, string>>;

/** What a rule makes of a request is more than the mock sends. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}
