import { type Account, type LedgerEntry, isHeld } from './ledger.ts';

export interface WorkspaceTotals {
  granted: number;
  debited: number;
  held: number;
  /** The debits of settled entries that are forgotten one by one. */
  folded: number;
}

export function createTotals(granted: number): WorkspaceTotals {
  return { granted, debited: 0, held: 0, folded: 0 };
}

export function available({ granted, debited, held }: WorkspaceTotals): number {
  return granted - debited - held;
}

export function accountOf(workspace: string, purse: WorkspaceTotals): Account {
  const { granted, debited, held } = purse;
  return { workspace, granted, debited, held, available: available(purse) };
}

/** A sentence for each broken rule of credits. Computes the totals again, from the entries alone. */
export function brokenInvariants(
  workspaces: ReadonlyMap<string, WorkspaceTotals>,
  entries: readonly LedgerEntry[],
): readonly string[] {
  const ofWorkspaces = [...workspaces].flatMap(([id, totals]) =>
    brokenTotals(
      id,
      totals,
      entries.filter(({ workspace }) => workspace === id),
    ),
  );
  return [...ofWorkspaces, ...entries.flatMap(brokenEntry), ...sharedIds(entries)];
}

function brokenTotals(id: string, totals: WorkspaceTotals, entries: readonly LedgerEntry[]): string[] {
  const debited = entries.reduce((sum, { debit }) => sum + (debit ?? 0), totals.folded);
  const held = entries.reduce((sum, entry) => sum + (isHeld(entry.state) ? entry.reserved : 0), 0);
  const broken: string[] = [];
  if (totals.debited !== debited)
    broken.push(`${id}: debited ${totals.debited}, but its debits sum to ${debited}`);
  if (totals.held !== held) broken.push(`${id}: ${totals.held} held, but its open requests hold ${held}`);
  if (totals.granted - debited - held < 0) broken.push(`${id}: more debited and held than was granted`);
  return broken;
}

function brokenEntry(entry: LedgerEntry): string[] {
  const { requestId, state, debit, reserved } = entry;
  const broken: string[] = [];
  if ((debit !== null) !== (state === 'succeeded'))
    broken.push(`${requestId}: ${state} with a debit of ${debit}`);
  if ((debit ?? 0) > reserved) broken.push(`${requestId}: debited ${debit} of ${reserved} reserved`);
  return broken;
}

/** A request has one entry, and so at most one debit. */
function sharedIds(entries: readonly LedgerEntry[]): string[] {
  const seen = new Set<string>();
  return entries.flatMap(({ requestId }) => {
    if (seen.has(requestId)) return [`${requestId}: two entries`];
    seen.add(requestId);
    return [];
  });
}
