import type { JournalEntry } from '../../journal/journal.ts';
import type { WorldId } from './control-api.ts';
import { moneyOf, repeatName, type Repeats } from './entry-text.ts';

type IsOfKind = (entry: JournalEntry, repeats: Repeats) => boolean;

const IS_OF_KIND = {
  'all requests': () => true,
  refused: ({ status }) => status !== null && status >= 400 && status < 500,
  failed: ({ status }) => status !== null && status >= 500,
  lost: ({ ended }) => ended === 'cut' || ended === 'silent' || ended === 'client-gone',
  'with faults': ({ faults }) => faults.length > 0,
  'under review': (entry) => moneyOf(entry)?.state === 'under_review',
  repeated: (entry, repeats) => repeats.has(repeatName(entry)),
} as const satisfies Readonly<Record<string, IsOfKind>>;

export type Kind = keyof typeof IS_OF_KIND;

/** Kinds of requests to choose from. */
export const KINDS = Object.keys(IS_OF_KIND).filter((name): name is Kind => Object.hasOwn(IS_OF_KIND, name));

/** What a request is called in each column, for `name:value`. */
const COLUMNS: Readonly<Record<string, (entry: JournalEntry) => string>> = {
  method: ({ method }) => method,
  path: ({ path }) => path,
  status: ({ status, ended }) => `${status ?? ended ?? 'running'}`,
  key: ({ key }) => key ?? '',
  model: ({ model }) => model ?? '',
  fault: ({ faults }) => faults.map(({ fault }) => fault).join(' '),
  // With spaces, so that rule:rule_1 does not find rule_10.
  rule: ({ faults, answer }) => [...faults.map(({ rule }) => rule), answer].map((id) => `${id} `).join(''),
  phase: ({ phases }) => phases.join(' '),
  id: ({ requestId }) => requestId,
  order: ({ idempotencyKey }) => idempotencyKey ?? '',
  world: ({ sandbox }) => sandbox ?? 'own',
  state: (entry) => moneyOf(entry)?.state ?? 'unreserved',
};

export const COLUMN_NAMES = Object.keys(COLUMNS);

export interface Filter {
  /** Words that must all occur; `name:value` looks at one column. */
  readonly text: string;
  readonly kind: Kind;
  /** Undefined: all worlds. */
  readonly world: WorldId | undefined;
}

/** The requests that a filter lets through, in their order. */
export function filtered(
  entries: readonly JournalEntry[],
  { text, kind, world }: Filter,
  repeats: Repeats,
): readonly JournalEntry[] {
  const words = text.toLowerCase().match(/\S+/g) ?? [];
  const isOfKind: IsOfKind = IS_OF_KIND[kind];
  const tests = words.map(testOf);
  return entries.filter(
    (entry) =>
      (world === undefined || world === entry.sandbox) &&
      isOfKind(entry, repeats) &&
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
