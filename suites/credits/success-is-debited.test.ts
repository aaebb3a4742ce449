import { expect, test } from 'vitest';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import { REFUSED, ruled } from '../engine/test-support/rulings.ts';
import { successIsDebited } from './completions-debited.ts';
import { CHARGED, change, chargedTrial } from './test-support/charged-trials.ts';

const ruling = (...trial: Parameters<typeof chargedTrial>) => ruled(successIsDebited, chargedTrial(...trial));

const FAILED: WorkspaceRequest = { requestId: 'r-0', state: 'failed', reservation: null, debit: null };

const held = { credits: 20, state: 'held' } as const;

test.each<[kind: string, what: string, charged: Parameters<typeof chargedTrial>[0], code?: string]>([
  ['holds', 'a debit and a consumed reservation', { records: [CHARGED] }],
  ['holds', 'a debit without a reservation', { records: [{ ...CHARGED, reservation: null }] }],
  ['holds', 'a debit beside an attempt that cost nothing', { records: [FAILED, CHARGED] }],
  ['violated', 'no debit', { records: [{ ...CHARGED, debit: null }] }, 'no-debit'],
  ['violated', 'a debit of nothing', { records: [{ ...CHARGED, debit: 0 }] }, 'no-debit'],
  ['violated', 'two debits', { records: [CHARGED, { ...CHARGED, requestId: 'r-2' }] }, 'debited-twice'],
  ['violated', 'a reservation still held', { records: [{ ...CHARGED, reservation: held }] }, 'not-consumed'],
  ['violated', 'a balance lower by more than the debit', { change: change(8) }, 'balance'],
  ['violated', 'a balance lower by less', { change: change(6) }, 'balance'],
  ['violated', 'credits set aside that were not before', { change: change(7, 3) }, 'still-held'],
  ['inconclusive', 'a debit beside what still runs', { records: [CHARGED, { ...FAILED, state: 'running' }] }],
])('%s given %s', (kind, _, charged, code) => {
  expect(ruling(charged)).toMatchObject({ kind, ...(code !== undefined && { finding: { code } }) });
});

test('is inconclusive, and says why, given a workspace that does not show the request', () => {
  const reason = expect.stringContaining('another replica');
  expect(ruling({ records: [] })).toMatchObject({ kind: 'inconclusive', reason });
});

test('leaves refusals and failures to others', () => {
  expect([ruling({ records: [] }, REFUSED).kind, ruling({ records: [] }, { status: 500 }).kind]).toEqual([
    'not-exercised',
    'inconclusive',
  ]);
});
