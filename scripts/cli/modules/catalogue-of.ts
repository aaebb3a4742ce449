import { CHECKS, INVARIANTS } from '../../../suites/catalogue.ts';
import type { CheckFlags } from '../options/check-table.ts';
import type { Catalogue } from '../options/select-checks.ts';

/**
 * Everything that can be checked: the catalogue, and what the user's own module declares.
 * @throws {FileError} When that cannot be used.
 */
export async function catalogueOf({ checks }: Pick<CheckFlags, 'checks'>): Promise<Catalogue> {
  if (checks === undefined) return { checks: CHECKS, invariants: INVARIANTS };
  // It loads zod, which a run without checks of the user's own does not need.
  const { loadChecks } = await import('./load-checks.ts');
  return { checks: [...CHECKS, ...(await loadChecks(checks))], invariants: INVARIANTS };
}
