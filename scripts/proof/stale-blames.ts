import { type ClauseId, clauseIds } from '../../fixtures/clauses/clauses.ts';
import type { Proof } from './proof.ts';
import { PROVED_DEFECTS, type ProvedDefectName, provedDefectNames } from './proved-defects.ts';

/** An entry of `alsoBlamed` that no run needs: it would hide that a check blames a clause which the defect keeps. */
export interface StaleBlame {
  readonly defect: ProvedDefectName;
  readonly clause: ClauseId;
}

/** Only both sizes together reach every entry: of a proof that lacks one nothing can be said. */
export function staleBlames({ full, live }: Proof): readonly StaleBlame[] {
  if (full === undefined || live === undefined) return [];
  return provedDefectNames().flatMap((defect) => {
    const sizes = [full.defects[defect], live.defects[defect]];
    const needed: ReadonlySet<string> = new Set(sizes.flatMap((each) => each?.alsoBlamed ?? []));
    return alsoBlamedOf(defect).flatMap((clause) => (needed.has(clause) ? [] : [{ defect, clause }]));
  });
}

function alsoBlamedOf(defect: ProvedDefectName): readonly ClauseId[] {
  const { alsoBlamed = {} } = PROVED_DEFECTS[defect];
  return clauseIds().filter((clause) => Object.hasOwn(alsoBlamed, clause));
}
