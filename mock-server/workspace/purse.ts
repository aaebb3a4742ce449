import type { Workspace } from '../world/world.ts';
import type { Account } from './ledger.ts';

/** A workspace's running sums. */
export interface Purse {
  readonly granted: number;
  debited: number;
  held: number;
  /** Debits of settled entries that are no longer remembered one by one. */
  folded: number;
}

/** One for each workspace, by its ID. */
export function createPurses(workspaces: readonly Workspace[]): ReadonlyMap<string, Purse> {
  return new Map(
    workspaces.map(({ id, credits }) => [id, { granted: credits, debited: 0, held: 0, folded: 0 }]),
  );
}

export function available({ granted, debited, held }: Purse): number {
  return granted - debited - held;
}

export function accountOf(workspace: string, purse: Purse): Account {
  const { granted, debited, held } = purse;
  return { workspace, granted, debited, held, available: available(purse) };
}
