import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { OpenPointName } from '../../fixtures/clauses/open-points.ts';

/** One way in which an implementer gets the specification wrong. The mock can have it, and the suites must notice. */
export interface Defect {
  /** The clauses it breaks: every run blames each of them. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** What was built, in the words of somebody who had a reason to. */
  readonly story: string;
  /** Clauses that a run may blame too, because one deed breaks them where it meets certain requests, and why. */
  readonly alsoBlamed?: Readonly<Partial<Record<ClauseId, string>>>;
  /** Of an open clause: nothing is wrong unless a profile pins these points to these values. */
  readonly pins?: Readonly<Partial<Record<OpenPointName, unknown>>>;
}
