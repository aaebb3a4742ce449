import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import type { CheckFlags } from '../options/check-table.ts';
import type { Catalogue } from '../options/select-checks.ts';

/** What a run checks unless it is told otherwise. */
const ALL: Catalogue = { checks: CHECKS, invariants: INVARIANTS };

/**
 * Everything that can be checked: the catalogue, and what the user's own module declares.
 * @throws {FileError} When that cannot be used.
 */
export async function catalogueOf({ checks }: Pick<CheckFlags, 'checks'>): Promise<Catalogue> {
  if (checks === undefined) return ALL;
  const { loadChecks } = await import('./load-checks.ts');
  return { ...ALL, checks: [...CHECKS, ...(await loadChecks(checks, CHECKS))] };
}
