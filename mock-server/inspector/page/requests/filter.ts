import type { JournalEntry } from '../../../journal/journal.ts';
import { moneyOf, type WorldId } from '../state/wire.ts';

/** Kinds of requests, each with a button. */
export const KINDS = ['refused', 'failed', 'lost', 'faults', 'under review', 'repeats'] as const;

export type Kind = (typeof KINDS)[number];

export interface Filter {
  /** Words that must all occur; `name:value` looks at one column. */
  readonly text: string;
  /** A request of any of them; empty: all. */
  readonly kinds: ReadonlySet<Kind>;
  /** Undefined: of all worlds. */
  readonly world: WorldId | undefined;
}

/** What lets everything through. */
export const EVERYTHING: Omit<Filter, 'world'> = { text: '', kinds: new Set() };

/** What a request is called in each column, for `name:value`. */
const COLUMNS: Readonly<Record<string, (entry: JournalEntry) => string>> = {
  method: ({ method }) => method,
  path: ({ path }) => path,
  status: ({ status, ended }) => `${status ?? ended ?? 'running'}`,
  key: ({ key }) => key ?? '',
  model: ({ model }) => model ?? '',
  fault: ({ faults }) => faults.map(({ fault }) => fault).join(' '),
  // With spaces, so that rule:rule_1 is not rule_10.
  rule: ({ faults, answer }) =>
    [...faults.map(({ rule }) => rule), answer].map((rule) => `${rule} `).join(''),
  phase: ({ phases }) => phases.join(' '),
  id: ({ requestId }) => requestId,
  order: ({ idempotencyKey }) => idempotencyKey ?? '',
  world: ({ sandbox }) => sandbox ?? 'own',
  state: (entry) => moneyOf(entry)?.state ?? 'unreserved',
};

export const COLUMN_NAMES = Object.keys(COLUMNS);

/** The requests that a filter lets through, in their order. `repeated` has the keys that came more than once. */
export function filtered(
  entries: readonly JournalEntry[],
  filter: Filter,
  repeated: ReadonlyMap<string, unknown>,
): readonly JournalEntry[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const tests = words.map(testOf);
  return entries.filter(
    (entry) =>
      (filter.world === undefined || filter.world === entry.sandbox) &&
      (filter.kinds.size === 0 || [...filter.kinds].some((kind) => isOfKind(entry, kind, repeated))) &&
      tests.every((test) => test(entry)),
  );
}

function testOf(word: string): (entry: JournalEntry) => boolean {
  const [, name = '', value = ''] = /^(\w+):(.+)$/.exec(word) ?? [];
  const column = COLUMNS[name];
  const wanted = name === 'rule' ? `${value} ` : value;
  if (column !== undefined) return (entry) => column(entry).toLowerCase().includes(wanted);
  return (entry) => Object.values(COLUMNS).some((read) => read(entry).toLowerCase().includes(word));
}

function isOfKind(entry: JournalEntry, kind: Kind, repeated: ReadonlyMap<string, unknown>): boolean {
  const { status, ended, faults } = entry;
  switch (kind) {
    case 'refused':
      return status !== null && status >= 400 && status < 500;
    case 'failed':
      return status !== null && status >= 500;
    case 'lost':
      return ended === 'cut' || ended === 'silent' || ended === 'client-gone';
    case 'faults':
      return faults.length > 0;
    case 'under review':
      return moneyOf(entry)?.state === 'under_review';
    case 'repeats':
      return repeated.has(repeatName(entry));
  }
}

/** Names what repeats of a request share: its world and its Idempotency-Key. Empty: it has none. */
export function repeatName({ sandbox, idempotencyKey }: JournalEntry): string {
  return idempotencyKey === null ? '' : `${sandbox ?? ''} ${idempotencyKey}`;
}

/** The Idempotency-Keys that came more than once, each with its requests in their order. */
export function repeatsIn(entries: readonly JournalEntry[]): ReadonlyMap<string, readonly JournalEntry[]> {
  const groups = Map.groupBy(entries, repeatName);
  groups.delete('');
  for (const [name, group] of groups) if (group.length === 1) groups.delete(name);
  return groups;
}
