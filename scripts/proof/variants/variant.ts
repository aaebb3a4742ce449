import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Profile } from '../../../suites/engine/model/target.ts';
import type { Choices } from '../second-service/convention.ts';

/** Clauses that a run leaves unexercised. */
export interface Leaves {
  /** Until a profile says where to read what bears on them. */
  readonly unreadable?: readonly ClauseId[];
  /** As no request to such a service can test them. */
  readonly untestable?: readonly ClauseId[];
}

/** Another faithful way to fill a point that the specification leaves open: what the second service then chooses. */
export interface Variant extends Partial<Choices>, Leaves {
  /** What its user has to tell a run. */
  readonly profile?: Profile;
}

export type Variants = Readonly<Record<string, Variant>>;

/** The tested client reads the common convention only. */
export const UNREAD_BY_CLIENT: Leaves = { untestable: ['VER-2'] };

/** Variants of one choice, each by a name that says what the service does. */
export function variantsOf<Choice extends keyof Choices>(
  choice: Choice,
  values: Readonly<Record<string, Choices[Choice]>>,
  leaves: Leaves = {},
): Variants {
  const variants = Object.entries(values).map(([name, value]) => [name, { ...leaves, [choice]: value }]);
  return Object.fromEntries(variants);
}
