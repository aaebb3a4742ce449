import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { DefectHooks } from '../../exchange/defect-hooks.ts';

/** One way in which an implementer gets the specification wrong. The mock can have it, and the suites must notice. */
export interface Defect extends DefectHooks {
  /** The clauses it breaks: every run blames each of them. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** Clauses that a run may blame too, because it breaks them where it meets certain requests, and why. */
  readonly alsoBlamed?: Readonly<Partial<Record<ClauseId, string>>>;
  /** For an open clause: it is broken only where a profile pins these points to these values. */
  readonly pins?: Readonly<Partial<Record<OpenPointName, unknown>>>;
  /** What was built, and why, in the words of its developer. */
  readonly story: string;
}

/** What a defect remembers of each service. It forgets with a reset, which starts another service. */
export function perService<Memory>(create: () => Memory): (owner: object) => Memory {
  const memories = new WeakMap<object, Memory>();
  return (owner) => {
    const memory = memories.get(owner) ?? create();
    memories.set(owner, memory);
    return memory;
  };
}
