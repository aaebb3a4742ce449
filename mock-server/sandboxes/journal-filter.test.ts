import { expect, test } from 'vitest';

import type { JournalEntry } from './journal.ts';
import { type JournalFilter, matchesFilter } from './journal-filter.ts';

const entry: JournalEntry = {
  n: 7,
  at: 0,
  requestId: 'r',
  idempotencyKey: 'i',
  endpoint: 'chat',
  key: 'primary',
  method: 'POST',
  path: '/v1/chat/completions',
  phases: [],
  fault: { rule: 'rule_1', fault: 'timeout', phase: 'after-debit' },
  status: 200,
  bytesWritten: 9,
  ledger: [],
  ended: 'answered',
};

test.each<[JournalFilter, JournalFilter]>([
  [{ endpoint: 'chat' }, { endpoint: 'models' }],
  [{ key: 'primary' }, { key: 'second' }],
  [{ requestId: 'r' }, { requestId: 's' }],
  [{ idempotencyKey: 'i' }, { idempotencyKey: 'j' }],
  [{ status: 200 }, { status: 201 }],
  [{ fault: 'timeout' }, { fault: 'stall' }],
  [{ ended: 'answered' }, { ended: 'running' }],
  [{ after: 6 }, { after: 7 }],
])('finds an entry by %j, and not by %j', (right, wrong) => {
  expect(matchesFilter(right, entry)).toBe(true);
  expect(matchesFilter(wrong, entry)).toBe(false);
  expect(matchesFilter({ ...right, ...wrong }, entry)).toBe(false);
});

test('finds what is running, and everything without a filter', () => {
  expect(matchesFilter({ ended: 'running' }, { ...entry, ended: null })).toBe(true);
  expect(matchesFilter({}, entry)).toBe(true);
});
