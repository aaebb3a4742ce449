import { expect, test } from 'vitest';
import type { WorkspaceRequest } from '../kit/model/deployment.ts';
import { REFUSED } from '../kit/test-support/rulings.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { successIsDebited } from './success-is-debited.ts';
import { CHARGED, change, chargedTrial } from './test-support/charged-trials.ts';

const ruling = (...trial: Parameters<typeof chargedTrial>) =>
  successIsDebited.holds(chargedTrial(...trial), infoForTest());

const FAILED: WorkspaceRequest = { requestId: 'r-0', state: 'failed', reservation: null, debit: null };

test.each<[string, readonly WorkspaceRequest[]]>([
  ['a debit and a consumed reservation', [CHARGED]],
  ['a debit without a reservation', [{ ...CHARGED, reservation: null }]],
  ['a debit beside an attempt that cost nothing', [FAILED, CHARGED]],
])('holds given %s', (_, records) => {
  expect(ruling({ records })).toEqual({ kind: 'holds' });
});

test.each<[string, readonly WorkspaceRequest[], string]>([
  ['no debit', [{ ...CHARGED, debit: null }], 'no-debit'],
  ['a debit of nothing', [{ ...CHARGED, debit: 0 }], 'no-debit'],
  ['two debits', [CHARGED, { ...CHARGED, requestId: 'r-2' }], 'debited-twice'],
  ['a reservation still held', [{ ...CHARGED, reservation: { credits: 20, state: 'held' } }], 'not-consumed'],
])('violated given %s', (_, records, code) => {
  expect(ruling({ records })).toMatchObject({ kind: 'violated', finding: { code } });
});

test('inconclusive given a workspace that does not show the request', () => {
  expect(ruling({ records: [] })).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('another replica'),
  });
});

test.each([
  ['a balance lower by more than the debit', change(8), 'balance'],
  ['a balance lower by less', change(6), 'balance'],
  ['credits set aside that were not before', change(7, 3), 'still-held'],
])('violated given %s', (_, after, code) => {
  expect(ruling({ change: after })).toMatchObject({ kind: 'violated', finding: { code } });
});

test('inconclusive given a request that runs and runs, whatever is debited so far', () => {
  expect(ruling({ records: [CHARGED, { ...FAILED, state: 'running' }] }).kind).toBe('inconclusive');
});

test('leaves refusals and failures to others', () => {
  expect([ruling({ records: [] }, REFUSED).kind, ruling({ records: [] }, { status: 500 }).kind]).toEqual([
    'not-exercised',
    'inconclusive',
  ]);
});
