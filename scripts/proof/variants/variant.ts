import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Choices } from '../second-service/choices.ts';

/** One other way to fill one point that the specification leaves open. */
export interface Variant {
  /** What differs, as a sentence without its subject: "The service …". */
  readonly what: string;
  /** How the second service becomes this variant. */
  readonly choices: Partial<Choices>;
  /** The clause that allows it; absent: that of its point. */
  readonly clause?: ClauseId;
  /** Clauses that stay unexercised until a profile says where to read what bears on them. */
  readonly unreadable?: readonly ClauseId[];
  /** Clauses that stay unexercised because no request to such a service can test them. */
  readonly untestable?: readonly ClauseId[];
}

/** Variants of one point: a service is one of them at a time. */
export type Variants = Readonly<Record<string, Variant>>;
