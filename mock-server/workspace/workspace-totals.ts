import { isHeld, type LedgerEntry } from './ledger.ts';

export interface WorkspaceTotals {
  granted: number;
  debited: number;
  held: number;
  /** The debits of settled entries that are forgotten one by one. */
  folded: number;
}

export function available({ granted, debited, held }: WorkspaceTotals): number {
  return granted - debited - held;
}

/** A sentence for each broken rule of credits. Computes the totals again, from the entries alone. */
export function* brokenInvariants(
  workspaces: ReadonlyMap<string, WorkspaceTotals>,
  entries: readonly LedgerEntry[],
): Generator<string> {
  for (const [id, totals] of workspaces) {
    const own = entries.filter(({ workspace }) => workspace === id);
    const debited = own.reduce((sum, { debit }) => sum + (debit ?? 0), totals.folded);
    const held = own.reduce((sum, { state, reserved }) => sum + (isHeld(state) ? reserved : 0), 0);
    if (totals.debited !== debited)
      yield `${id}: debited ${totals.debited}, but its debits sum to ${debited}`;
    if (totals.held !== held) yield `${id}: ${totals.held} held, but its open requests hold ${held}`;
    if (totals.granted - debited - held < 0) yield `${id}: more debited and held than was granted`;
  }
  const seen = new Set<string>();
  for (const { requestId, state, debit, reserved } of entries) {
    if ((debit !== null) !== (state === 'succeeded')) yield `${requestId}: ${state} with a debit of ${debit}`;
    if ((debit ?? 0) > reserved) yield `${requestId}: debited ${debit} of ${reserved} reserved`;
    // A request has one entry, and so at most one debit.
    if (seen.has(requestId)) yield `${requestId}: two entries`;
    seen.add(requestId);
  }
}
