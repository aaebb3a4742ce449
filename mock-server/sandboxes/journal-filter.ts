import type { JournalEntry } from './journal.ts';

/** Which entries are meant: all that have every one of these. None: all. */
export interface JournalFilter {
  readonly endpoint?: JournalEntry['endpoint'];
  /** The name of a key. */
  readonly key?: string;
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  readonly status?: number;
  /** The name of a fault that struck. */
  readonly fault?: string;
  /** `running`: not ended yet. */
  readonly ended?: NonNullable<JournalEntry['ended']> | 'running';
  /** Later than the entry of this number. */
  readonly after?: number;
}

/** Whether an entry has all that the filter names. */
export function matchesFilter(filter: JournalFilter, entry: JournalEntry): boolean {
  const { fault, ended, after = 0, ...equal } = filter;
  if (entry.n <= after) return false;
  if (fault !== undefined && entry.fault?.fault !== fault) return false;
  if (ended !== undefined && (entry.ended ?? 'running') !== ended) return false;
  return isLike(entry, equal);
}

function isLike(
  entry: JournalEntry,
  wanted: Pick<JournalFilter, 'endpoint' | 'key' | 'requestId' | 'idempotencyKey' | 'status'>,
): boolean {
  const { endpoint, key, requestId, idempotencyKey, status } = wanted;
  return (
    (endpoint === undefined || entry.endpoint === endpoint) &&
    (key === undefined || entry.key === key) &&
    (requestId === undefined || entry.requestId === requestId) &&
    (idempotencyKey === undefined || entry.idempotencyKey === idempotencyKey) &&
    (status === undefined || entry.status === status)
  );
}
