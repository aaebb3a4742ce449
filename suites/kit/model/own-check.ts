import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { type Check, type CheckDeclaration, levelOf } from './check.ts';
import type { Trial } from './stimulus.ts';

/** The section in which a user's own checks are reported. */
export const OWN_SECTION = 'own';

/** How the IDs of own checks and the names of their stimuli begin: no release ever uses it. */
export const OWN_PREFIX = 'x-';

/** A check that a user adds to the suites. */
export interface OwnCheckDeclaration<T extends Trial> extends Omit<CheckDeclaration<T>, 'id' | 'clauses'> {
  /** `x-` and words joined by hyphens. */
  readonly id: `${typeof OWN_PREFIX}${string}`;
  /** The clauses it also decides, if any; the first one gives the level, which is `stated` without any. */
  readonly clauses?: readonly ClauseId[];
}

/** Declares a check of one's own. */
export function ownCheck<T extends Trial>(declaration: OwnCheckDeclaration<T>): Check {
  const clauses = declaration.clauses ?? [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine hands a judgement only trials of its own stimulus
  const judged = declaration as unknown as OwnCheckDeclaration<Trial>;
  return { ...judged, clauses, level: levelOf({ ...judged, clauses }) };
}

export function isOwn({ id }: Pick<Check, 'id'>): boolean {
  return id.startsWith(OWN_PREFIX);
}
