import type { ShownEntry } from '../../journal/shown-exchange.ts';
import { isLostCharge, repeatName, type Repeats } from './entry-text.ts';

type Test = (entry: ShownEntry, repeats: Repeats) => boolean;

const IS_OF_KIND: Readonly<Record<string, Test>> = {
  refused: ({ status }) => status !== null && status >= 400 && status < 500,
  failed: ({ status }) => status !== null && status >= 500,
  lost: ({ ended }) => ended === 'cut' || ended === 'silent' || ended === 'client-gone',
  faulted: ({ faults }) => faults.length > 0,
  charged: isLostCharge,
  'under-review': ({ ledger }) => ledger.at(-1)?.state === 'under_review',
  repeated: (entry, repeats) => repeats.has(repeatName(entry)),
};

const KINDS = Object.keys(IS_OF_KIND);

/** What a request is called in each column, for `name:value`. */
const COLUMNS: Readonly<Record<string, (entry: ShownEntry, repeats: Repeats) => string>> = {
  is: (...asked) => KINDS.filter((kind) => IS_OF_KIND[kind]?.(...asked)).join(' '),
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
  state: ({ ledger }) => ledger.at(-1)?.state ?? 'unreserved',
  method: ({ method }) => method,
  path: ({ path }) => path,
  id: ({ requestId }) => requestId,
  world: ({ sandbox }) => sandbox ?? 'own',
};

export const FILTER_NAMES = Object.keys(COLUMNS);

/** The requests in which all words of a filter occur, in their order; `name:value` looks at one column. */
export function filtered(entries: readonly ShownEntry[], filter: string, repeats: Repeats) {
  const words = filter.toLowerCase().match(/\S+/g) ?? [];
  const tests = words.map(testOf);
  return entries.filter((entry) => tests.every((test) => test(entry, repeats)));
}

function testOf(word: string): Test {
  const [, name = '', value = ''] = /^([a-z]+):(.*)$/.exec(word) ?? [];
  const isColumn = Object.hasOwn(COLUMNS, name);
  const columns = isColumn ? [COLUMNS[name]] : Object.values(COLUMNS);
  const ending = name === 'rule' && value !== '' ? ' ' : '';
  const wanted = isColumn ? `${value}${ending}` : word;
  return (...asked) =>
    columns.some((read) =>
      read?.(...asked)
        .toLowerCase()
        .includes(wanted),
    );
}
