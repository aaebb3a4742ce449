import { expect, test } from 'vitest';
import type { ShownEntry } from '../../journal/shown-exchange.ts';
import { repeatsIn } from './entry-text.ts';
import { type Filter, filtered, unknownNames } from './filter.ts';

const entry = (id: number, more: Partial<ShownEntry> = {}): ShownEntry => ({
  id,
  sandbox: null,
  n: id,
  at: 0,
  realAt: 0,
  ms: 1,
  requestId: `req_${id}`,
  idempotencyKey: null,
  endpoint: 'chat',
  key: 'primary',
  method: 'POST',
  path: '/v1/chat/completions',
  model: 'compact-1',
  stream: false,
  phases: [],
  fault: null,
  faults: [],
  answer: null,
  status: 200,
  bytesWritten: 1,
  ledger: [],
  ended: 'answered',
  prompt: null,
  code: null,
  ...more,
});

const struck = (rule: string): Pick<ShownEntry, 'faults'> => ({
  faults: [{ rule, fault: 'rate_limit', phase: 'after-validation' }],
});

const ENTRIES = [
  entry(1, { idempotencyKey: 'order-1', status: 502 }),
  entry(2, { idempotencyKey: 'order-1', prompt: 'Is it cold in Oslo?' }),
  entry(3, { sandbox: 's1', idempotencyKey: 'order-1', model: 'vista-1' }),
  entry(4, { status: 429, code: 'rate_limited', ...struck('rule_1') }),
  entry(5, { status: 429, ...struck('rule_10') }),
  entry(6, {
    status: null,
    ended: 'silent',
    ledger: [{ state: 'under_review', reservation: 'x', reserved: 1, debit: null }],
  }),
  entry(7, { status: null, ended: 'cut', method: 'GET', path: '/v1/models', key: null, model: null }),
  entry(8, { ended: null, status: null }),
  entry(9, { ended: 'cut', ledger: [{ state: 'succeeded', reserved: 9, debit: 4 }] }),
];

const found = (filter: Partial<Filter>): readonly number[] =>
  filtered(ENTRIES, { text: '', kind: 'all requests', ...filter }, repeatsIn(ENTRIES)).map(({ id }) => id);

test.each([
  ['', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['order-1', [1, 2, 3]],
  ['ORDER-1 vista', [3]],
  ['status:429', [4, 5]],
  ['status:silent', [6]],
  ['rule:rule_1', [4]],
  ['method:get', [7]],
  ['state:under_review', [6]],
  ['world:s1', [3]],
  ['world:own order-1 status:502', [1]],
  ['OSLO', [2]],
  ['text:cold', [2]],
  ['code:rate_', [4]],
  ['status:', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['colour:red', []],
])('finds by the words %j', (text, ids) => {
  expect(found({ text })).toEqual(ids);
});

test.each([
  ['refused', [4, 5]],
  ['failed', [1]],
  ['lost', [6, 7, 9]],
  ['charged', [9]],
  ['with faults', [4, 5]],
  ['under review', [6]],
  ['repeated', [1, 2]],
] as const)('finds what is %s', (kind, ids) => {
  expect(found({ kind })).toEqual(ids);
});

test('names what it takes for no column', () => {
  expect(unknownNames('colour:red status:5 http://x Oslo')).toEqual(['colour', 'http']);
});

test('ties together the requests with one Idempotency-Key of one world', () => {
  expect([...repeatsIn(ENTRIES).values()].map((group) => group.map(({ id }) => id))).toEqual([[1, 2]]);
});
