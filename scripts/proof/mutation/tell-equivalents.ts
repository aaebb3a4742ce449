import type { EquivalentMutants } from './equivalent-mutants.ts';
import { type Mutant, mutantKey } from './mutant.ts';

/** The survivors of some mutants, told apart by what is known of them. */
export interface Survivors {
  readonly equivalent: readonly Mutant[];
  /** Nobody has looked at these. */
  readonly unexplained: readonly Mutant[];
  /** Keys of known equivalents of the same files that are there no more, or were noticed. */
  readonly stale: readonly string[];
}

/** Sorts the survivors of some mutants by whether they are known to be equivalent. */
export function tellEquivalents(mutants: readonly Mutant[], known: readonly EquivalentMutants[]): Survivors {
  const files = new Set(mutants.map(({ file }) => file));
  const keys = known
    .flatMap((each) => each.mutants)
    .filter(({ file }) => files.has(file))
    .map(mutantKey);
  const survivors = mutants.filter(({ fate }) => fate === 'survived');
  const found = new Set(survivors.map(mutantKey));
  return {
    equivalent: survivors.filter((mutant) => keys.includes(mutantKey(mutant))),
    unexplained: survivors.filter((mutant) => !keys.includes(mutantKey(mutant))),
    stale: keys.filter((key) => !found.has(key)),
  };
}
