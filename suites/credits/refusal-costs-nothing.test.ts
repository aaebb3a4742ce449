import { expect, test } from 'vitest';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { REFUSED, SERVED, ruled } from '../engine/test-support/rulings.ts';
import { refusalCostsNothing, type RefusedTrial } from './refusal-costs-nothing.ts';
import { CHARGED, change } from './test-support/charged-trials.ts';

/** A refusal that costs nothing, and of which the workspace shows nothing, but for what is said. */
function ruling(more: Partial<RefusedTrial> = {}) {
  const sent = { exchanges: [answered(REFUSED)], counterpart: answered(SERVED) };
  const trial: RefusedTrial = { ...sent, records: [], accepted: [CHARGED], change: change(0), ...more };
  return ruled(refusalCostsNothing, trial);
}

const FAILED: WorkspaceRequest = { requestId: 'r-0', state: 'failed', reservation: null, debit: null };
const reserved = (state: 'held' | 'released' | 'under_review'): WorkspaceRequest => ({
  ...FAILED,
  reservation: { credits: 20, state },
});

const UNACCEPTED = { accepted: [] };

test.each<[kind: string, what: string, trial: Partial<RefusedTrial>, code?: string]>([
  ['holds', 'no record', {}],
  ['holds', 'a failed request', { records: [FAILED] }],
  ['holds', 'a debit of nothing', { records: [{ ...FAILED, debit: 0 }] }],
  ['holds', 'a released reservation', { records: [reserved('released')] }],
  ['holds', 'a balance that is higher for other reasons', { change: change(-3) }],
  ['holds', 'smaller reservations for other reasons', { change: change(0, -2) }],
  ['violated', 'a debit beside a failed request', { records: [FAILED, CHARGED] }, 'debited'],
  ['violated', 'a reservation still held', { records: [FAILED, reserved('held')] }, 'still-held'],
  ['violated', 'a reservation under review', { records: [reserved('under_review')] }, 'still-held'],
  ['violated', 'a lower balance', { change: change(1) }, 'balance'],
  ['violated', 'credits set aside that were not before', { change: change(0, 1) }, 'still-held'],
  ['violated', 'it in a workspace of others', { ...UNACCEPTED, change: change(1) }, 'balance'],
  ['inconclusive', 'a failure', { exchanges: [answered({ status: 500 })], records: [CHARGED] }],
  ['not-exercised', 'a request that was served', { exchanges: [answered(SERVED)], records: [CHARGED] }],
])('%s given %s', (kind, _, trial, code) => {
  expect(ruling(trial)).toMatchObject({ kind, ...(code !== undefined && { finding: { code } }) });
});

test('is inconclusive, and says why, given a workspace that shows no counterpart', () => {
  const reason = expect.stringContaining('does not show the accepted counterpart: a replica other than');
  expect(ruling(UNACCEPTED)).toMatchObject({ kind: 'inconclusive', reason });
});
