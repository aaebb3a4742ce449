import { expect, test } from 'vitest';
import type { WorkspaceRequest } from '../kit/model/deployment.ts';
import { answered } from '../kit/test-support/exchange.ts';
import { REFUSED, SERVED } from '../kit/test-support/rulings.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { refusalCostsNothing, type RefusedTrial } from './refusal-costs-nothing.ts';
import { CHARGED, change } from './test-support/charged-trials.ts';

/** A refusal that costs nothing, and of which the workspace shows nothing, but for what is said. */
function ruling(more: Partial<RefusedTrial> = {}) {
  const sent = { exchanges: [answered(REFUSED)], counterpart: answered(SERVED) };
  const trial: RefusedTrial = { ...sent, records: [], accepted: [CHARGED], change: change(0), ...more };
  return refusalCostsNothing.holds(trial, infoForTest());
}

const FAILED: WorkspaceRequest = { requestId: 'r-0', state: 'failed', reservation: null, debit: null };
const reserved = (state: 'held' | 'released' | 'under_review'): WorkspaceRequest => ({
  ...FAILED,
  reservation: { credits: 20, state },
});

test.each<[string, readonly WorkspaceRequest[]]>([
  ['no record', []],
  ['a failed request', [FAILED]],
  ['a debit of nothing', [{ ...FAILED, debit: 0 }]],
  ['a released reservation', [reserved('released')]],
])('holds given %s', (_, records) => {
  expect(ruling({ records })).toEqual({ kind: 'holds' });
});

test('holds given a higher balance and smaller reservations for other reasons', () => {
  expect([ruling({ change: change(-3) }).kind, ruling({ change: change(0, -2) }).kind]).toEqual([
    'holds',
    'holds',
  ]);
});

test.each<[string, readonly WorkspaceRequest[], string]>([
  ['a debit beside a failed request', [FAILED, CHARGED], 'debited'],
  ['a reservation still held', [FAILED, reserved('held')], 'still-held'],
  ['a reservation under review', [reserved('under_review')], 'still-held'],
])('violated given %s', (_, records, code) => {
  expect(ruling({ records })).toMatchObject({ kind: 'violated', finding: { code } });
});

test.each([
  ['a lower balance', change(1), 'balance'],
  ['credits set aside that were not before', change(0, 1), 'still-held'],
])('violated given %s', (_, after, code) => {
  expect(ruling({ change: after })).toMatchObject({ kind: 'violated', finding: { code } });
});

test('is not exercised without a counterpart, or where the request was served', () => {
  const withoutCounterpart: RefusedTrial = {
    exchanges: [answered(REFUSED)],
    records: [CHARGED],
    change: change(7),
  };
  expect(refusalCostsNothing.holds(withoutCounterpart, infoForTest()).kind).toBe('not-exercised');
  expect(ruling({ exchanges: [], records: [CHARGED] }).kind).toBe('not-exercised');
  expect(ruling({ counterpart: answered(REFUSED), records: [CHARGED] }).kind).toBe('not-exercised');
  expect(ruling({ exchanges: [answered(SERVED)], records: [CHARGED] }).kind).toBe('not-exercised');
});

test('is inconclusive where the service failed in place of refusing', () => {
  expect(ruling({ exchanges: [answered({ status: 500 })], records: [CHARGED] }).kind).toBe('inconclusive');
});

test('is inconclusive given a workspace that does not show the accepted counterpart either', () => {
  expect(ruling({ accepted: [] })).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('does not show the accepted counterpart: the control URL may belong'),
  });
});

test('violated given a lower balance, even where the workspace does not show the accepted counterpart', () => {
  expect(ruling({ accepted: [], change: change(1) }).kind).toBe('violated');
});

test('holds given a journal of release 0.1.0, which has nothing of the counterpart', () => {
  const sent = { exchanges: [answered(REFUSED)], counterpart: answered(SERVED) };
  const trial: RefusedTrial = { ...sent, records: [], change: change(0) };
  expect(refusalCostsNothing.holds(trial, infoForTest())).toEqual({ kind: 'holds' });
});
