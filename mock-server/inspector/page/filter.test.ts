import { expect, test } from 'vitest';
import { NOTHING_KNOWN } from '../../journal/memory-journal.ts';
import type { ShownEntry } from '../../journal/shown-exchange.ts';
import { repeatsIn } from './entry-text.ts';
import { filtered } from './filter.ts';

const SENT = { sandbox: null, at: 0, realAt: 0, method: 'POST', path: '/v1/chat/completions' };
const CHAT = { key: 'primary', model: 'compact-1', status: 200, idempotencyKey: null } as const;
const LAST = { ended: 'answered', prompt: null, code: null } as const;

const entry = (id: number, more: Partial<ShownEntry> = {}): ShownEntry => {
  return { ...NOTHING_KNOWN, ...SENT, ...CHAT, ...LAST, id, n: id, requestId: `req_${id}`, ...more };
};

const booked = (state: 'under_review' | 'succeeded', reserved: number, debit: number | null) => ({
  at: 0,
  requestId: 'req_1',
  workspace: 'main',
  idempotencyKey: null,
  reserved,
  state,
  reservation: 'held' as const,
  debit,
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
  entry(6, { status: null, ended: 'silent', ledger: [booked('under_review', 1, null)] }),
  entry(7, { status: null, ended: 'cut', method: 'GET', path: '/v1/models', key: null, model: null }),
  entry(8, { ended: null, status: null }),
  entry(9, { ended: 'cut', ledger: [booked('succeeded', 9, 4)] }),
];

const found = (filter: string): readonly number[] =>
  filtered(ENTRIES, filter, repeatsIn(ENTRIES)).map(({ id }) => id);

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
  ['is:refused', [4, 5]],
  ['is:failed', [1]],
  ['is:lost', [6, 7, 9]],
  ['is:charged', [9]],
  ['is:faulted', [4, 5]],
  ['is:under-review', [6]],
  ['is:repeated is:failed', [1]],
])('finds by the words %j', (text, ids) => {
  expect(found(text)).toEqual(ids);
});

test('ties together the requests with one Idempotency-Key of one world', () => {
  expect([...repeatsIn(ENTRIES).values()].map((group) => group.map(({ id }) => id))).toEqual([[1, 2]]);
});
