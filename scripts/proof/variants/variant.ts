import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Choices } from '../second-service/choices.ts';

/** The clauses that a faithful service leaves unexercised. */
export interface Unexercised {
  /** Until a profile says where to read what bears on them. */
  readonly unreadable: readonly ClauseId[];
  /** For no request to such a service can test them. */
  readonly untestable: readonly ClauseId[];
}

/** What a variant is, and what it leaves unexercised. */
export interface VariantLabel extends Partial<Unexercised> {
  /** What differs, as a sentence without its subject: "The service …". */
  readonly what: string;
  /** The clause that allows it; absent: that of its point. */
  readonly clause?: ClauseId;
}

/** One other way to fill one point that the specification leaves open: its label, and what the second service chooses. */
export interface Variant extends VariantLabel, Partial<Choices> {}

/** Variants of one point: a service is one of them at a time. */
export type Variants = Readonly<Record<string, Variant>>;

/** Declares a variant: what the service does, and how. */
export const variant = (what: string, how: Omit<Variant, 'what'>): Variant => ({ what, ...how });
