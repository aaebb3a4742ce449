import { expect, test } from 'vitest';
import type { LedgerEntry } from './ledger.ts';
import { brokenInvariants } from './memory-ledger.ts';

const totals = { granted: 100, debited: 7, held: 20, folded: 2 };
const done: LedgerEntry = {
  requestId: 'a',
  workspace: 'w',
  idempotencyKey: null,
  reserved: 10,
  state: 'succeeded',
  debit: 5,
  work: null,
};
const running: LedgerEntry = { ...done, requestId: 'b', reserved: 20, state: 'running', debit: null };

const broken = (changed: Partial<typeof totals>, entries: readonly LedgerEntry[]): readonly string[] => [
  ...brokenInvariants(new Map([['w', { ...totals, ...changed }]]), entries),
];

test('finds nothing in books that agree', () => {
  expect(broken({}, [done, running])).toEqual([]);
});

test.each([
  ['a sum of debits that is not theirs', { debited: 8 }, [done, running], 'its debits sum to 7'],
  ['credits held for no request', { held: 25 }, [done, running], 'its open requests hold 20'],
  [
    'something held for a request under review and not set aside',
    { held: 0 },
    [done, { ...running, state: 'under_review' }],
    'its open requests hold 20',
  ],
  ['more spent than granted', { granted: 26 }, [done, running], 'more debited and held'],
  ['a failed request with a debit', { held: 0 }, [{ ...done, state: 'failed' }], 'failed with a debit of 5'],
  [
    'a succeeded request without one',
    { debited: 2, held: 0 },
    [{ ...done, debit: null }],
    'with a debit of null',
  ],
  ['a debit beyond its reservation', { held: 0 }, [{ ...done, reserved: 4 }], 'debited 5 of 4 reserved'],
  ['two entries of one request', { debited: 12, held: 0 }, [done, done], 'a: two entries'],
] as const)('names %s', (_, changed, entries, expected) => {
  expect(broken(changed, entries)).toEqual([expect.stringContaining(expected)]);
});
