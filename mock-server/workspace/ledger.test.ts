import { expect, test } from 'vitest';
import { brokenInvariants, type LedgerEntry, MemoryLedger } from './ledger.ts';

const order = (
  requestId: string,
  reserved: number,
  workspace = 'w',
): Parameters<MemoryLedger['reserve']>[0] => ({
  requestId,
  workspace,
  idempotencyKey: null,
  reserved,
});

const open = (credits = 100, history = 10): MemoryLedger =>
  new MemoryLedger([{ id: 'w', credits }], history, () => 5);

const SETTLE = {
  succeeded: (ledger: MemoryLedger, entry: LedgerEntry) => ledger.succeed(entry, 1),
  failed: (ledger: MemoryLedger, entry: LedgerEntry) => ledger.fail(entry),
  under_review: (ledger: MemoryLedger, entry: LedgerEntry) => ledger.review(entry, 1, () => {}),
};

test.each(
  Object.entries(SETTLE).flatMap(([state, settle]) =>
    Object.entries(SETTLE).map((next) => [state, settle, next] as const),
  ),
)(
  'throws for a request that is %s and is to change, except that a review ends',
  (state, settle, [next, change]) => {
    const ledger = open();
    const entry = ledger.reserve(order('r', 30));
    settle(ledger, entry);
    const isResolved = state === 'under_review' && next !== 'under_review';
    if (isResolved) return change(ledger, entry);
    expect(() => change(ledger, entry)).toThrow(`A request that is ${state} cannot become`);
    expect(ledger.invariants()).toEqual([]);
    expect(ledger.entries()).toMatchObject([{ state, debit: state === 'succeeded' ? 1 : null }]);
  },
);

test.each([31, -1, 0.5, Number.NaN])(
  'throws for a debit of %d of 30 reserved, and leaves the request running',
  (debit) => {
    const ledger = open();
    const entry = ledger.reserve(order('r', 30));
    expect(() => ledger.succeed(entry, debit)).toThrow('does not fit');
    expect(entry.state).toBe('running');
    expect(ledger.invariants()).toEqual([]);
  },
);

test('refuses to owe more than was reserved, and to resolve what is running', () => {
  const ledger = open();
  expect(() => ledger.review(ledger.reserve(order('r', 30)), 31, () => {})).toThrow('does not fit');
  expect(ledger.resolve('r', 'failed')).toBeUndefined();
});

test('gives copies to those who look, which nothing changes', () => {
  const ledger = open();
  ledger.reserve(order('r', 30));
  const found = ledger.find('r');
  ledger.resolve('r', 'failed');
  expect(found).toEqual(ledger.entries()[0]);
  expect(() => found && ledger.fail(found)).toThrow('No entry of this');
  expect(ledger.find('none')).toBeUndefined();
});

const totals = { granted: 100, debited: 7, held: 20, folded: 2 };
const done: LedgerEntry = {
  requestId: 'a',
  workspace: 'w',
  idempotencyKey: null,
  reserved: 10,
  state: 'succeeded',
  debit: 5,
  work: null,
  changes: [],
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
