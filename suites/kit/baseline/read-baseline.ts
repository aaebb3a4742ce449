import { FileError, readJsonFile } from '../files/read-json-file.ts';
import { didYouMean } from '../files/did-you-mean.ts';
import type { KnownFailure } from './baseline.ts';
import { baselineSchema } from './baseline-schema.ts';

/** Checks and invariants: all that a baseline may name. */
type Named = readonly { readonly id: string; readonly clauses: readonly string[] }[];

/**
 * Reads and checks a baseline against the checks there are.
 * @throws {FileError} At the first thing that is wrong with it.
 */
export function readBaseline(file: string, checks: Named): readonly KnownFailure[] {
  const { known } = readJsonFile(file, 'baseline', baselineSchema);
  for (const [i, entry] of known.entries()) {
    const problem = problemWith(entry, checks);
    if (problem !== undefined) throw new FileError(`${file}#/known/${i}/${problem}`);
  }
  return known;
}

/** The place in the entry, and what is wrong there. */
function problemWith({ check, clause }: KnownFailure, checks: Named): string | undefined {
  const named = checks.find(({ id }) => id === check);
  if (named === undefined) {
    const near = didYouMean(
      check,
      checks.map(({ id }) => id),
    );
    return `check: no check is called ${JSON.stringify(check)}${near}`;
  }
  if (clause === undefined || named.clauses.includes(clause)) return undefined;
  return `clause: ${check} does not bear on ${JSON.stringify(clause)}, but on ${named.clauses.join(', ')}`;
}
