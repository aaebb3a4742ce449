import type { ShownEntry } from '../../journal/shown-exchange.ts';
import { isLostCharge, moneyOf, repeatName, type Repeats } from './entry-text.ts';

type IsOfKind = (entry: ShownEntry, repeats: Repeats) => boolean;

const IS_OF_KIND = {
  'all requests': () => true,
  refused: ({ status }) => status !== null && status >= 400 && status < 500,
  failed: ({ status }) => status !== null && status >= 500,
  lost: ({ ended }) => ended === 'cut' || ended === 'silent' || ended === 'client-gone',
  'with faults': ({ faults }) => faults.length > 0,
  charged: isLostCharge,
  'under review': (entry) => moneyOf(entry)?.state === 'under_review',
  repeated: (entry, repeats) => repeats.has(repeatName(entry)),
} as const satisfies Readonly<Record<string, IsOfKind>>;

export type Kind = keyof typeof IS_OF_KIND;

/** Kinds of requests to choose from. */
export const KINDS = Object.keys(IS_OF_KIND).filter(isKind);

export function isKind(name: string): name is Kind {
  return Object.hasOwn(IS_OF_KIND, name);
}

/** What a request is called in each column, for `name:value`. */
const COLUMNS: Readonly<Record<string, (entry: ShownEntry) => string>> = {
  text: ({ prompt }) => prompt ?? '',
  code: ({ code }) => code ?? '',
  status: ({ status, ended }) => `${status ?? ended ?? 'running'}`,
  model: ({ model }) => model ?? '',
  key: ({ key }) => key ?? '',
  order: ({ idempotencyKey }) => idempotencyKey ?? '',
  fault: ({ faults }) => faults.map(({ fault }) => fault).join(' '),
  // With spaces, so that rule:rule_1 does not find rule_10.
  rule: ({ faults, answer }) => [...faults.map(({ rule }) => rule), answer].map((id) => `${id} `).join(''),
  phase: ({ phases }) => phases.join(' '),
  state: (entry) => moneyOf(entry)?.state ?? 'unreserved',
  method: ({ method }) => method,
  path: ({ path }) => path,
  id: ({ requestId }) => requestId,
  world: ({ sandbox }) => sandbox ?? 'own',
};

export const COLUMN_NAMES = Object.keys(COLUMNS);

export interface Filter {
  /** Words that must all occur; `name:value` looks at one column. */
  readonly text: string;
  readonly kind: Kind;
}

/** The requests that a filter lets through, in their order. */
export function filtered(
  entries: readonly ShownEntry[],
  { text, kind }: Filter,
  repeats: Repeats,
): readonly ShownEntry[] {
  const isOfKind: IsOfKind = IS_OF_KIND[kind];
  const tests = wordsOf(text).map(testOf);
  return entries.filter((entry) => isOfKind(entry, repeats) && tests.every((test) => test(entry)));
}

/** Names before a colon that no column has: such a word is looked for as it stands. */
export function unknownNames(text: string): readonly string[] {
  return wordsOf(text)
    .map((word) => NAMED.exec(word)?.[1] ?? '')
    .filter((name) => name !== '' && !Object.hasOwn(COLUMNS, name));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\S+/g) ?? [];
}

const NAMED = /^([a-z]+):(.*)$/;

function testOf(word: string): (entry: ShownEntry) => boolean {
  const [, name = '', value = ''] = NAMED.exec(word) ?? [];
  const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
  const wanted = name === 'rule' && value !== '' ? `${value} ` : value;
  if (column !== undefined) return (entry) => column(entry).toLowerCase().includes(wanted);
  return (entry) => Object.values(COLUMNS).some((read) => read(entry).toLowerCase().includes(word));
}
