import type { ClauseId } from '../../../../fixtures/clauses/clauses.ts';

/** One other way to fill one point that the specification leaves open. */
export interface Variant {
  /** The clause that leaves it open, or the one within which it stays. */
  readonly clause: ClauseId;
  /** What differs: "The service …" may stand before it. */
  readonly what: string;
  /** Clauses that stay unexercised, because what bears on them cannot be read until a profile says where it is. */
  readonly unread?: readonly ClauseId[];
  /** Clauses that stay unexercised, because such a service leaves nothing to put them to the question with. */
  readonly unasked?: readonly ClauseId[];
}

/** Variants of one point: only one of them can be chosen at a time. */
export type Variants = Readonly<Record<string, Variant>>;
