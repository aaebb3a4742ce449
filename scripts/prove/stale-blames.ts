import { type ClauseId, clauseIds } from '../../fixtures/clauses.ts';
import { type DefectName, DEFECTS, defectNames } from '../../fixtures/defects.ts';
import type { Proof } from './proof.ts';

/** An entry of `alsoBlamed` that no run needs: it would hide that a check blames a clause which the defect keeps. */
export interface StaleBlame {
  readonly defect: DefectName;
  readonly clause: ClauseId;
}

/** Only both sizes together reach every entry: of a proof that lacks one nothing can be said. */
export function staleBlames({ full, live }: Proof): readonly StaleBlame[] {
  if (full === undefined || live === undefined) return [];
  return defectNames().flatMap((defect) => {
    const sizes = [full.defects[defect], live.defects[defect]];
    const needed: ReadonlySet<string> = new Set(sizes.flatMap((each) => each?.alsoBlamed ?? []));
    return alsoBlamedOf(defect).flatMap((clause) => (needed.has(clause) ? [] : [{ defect, clause }]));
  });
}

function alsoBlamedOf(defect: DefectName): readonly ClauseId[] {
  const { alsoBlamed = {} } = DEFECTS[defect];
  return clauseIds().filter((clause) => Object.hasOwn(alsoBlamed, clause));
}
