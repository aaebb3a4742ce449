import { expect, test } from 'vitest';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { SERVED, ruled } from '../engine/test-support/rulings.ts';
import { uncertainStaysUnderReview } from './armed-losses.ts';
import { lossTrial, lost, SUCCEEDED, UNDER_REVIEW } from './test-support/armed-trials.ts';

const ruling = (...trial: Parameters<typeof lossTrial>) =>
  ruled(uncertainStaysUnderReview, lossTrial(...trial));

const reserved = (state: 'held' | 'released' | 'consumed'): WorkspaceRequest => ({
  ...UNDER_REVIEW,
  reservation: { credits: 20, state },
});

test.each<[string, WorkspaceRequest]>([
  ['a reservation under review', UNDER_REVIEW],
  ['a reservation that is held', reserved('held')],
  ['no reservation, which may be', { ...UNDER_REVIEW, reservation: null }],
])('holds given %s', (_, record) => {
  expect(ruling({ soon: [record], later: [record] })).toEqual({ kind: 'holds' });
});

test('holds given a failure that was answered, and a control that was served before', () => {
  expect(ruling({ exchanges: [answered({ status: 500 })] }).kind).toBe('holds');
  const { fresh: _, ...unseen } = lossTrial();
  expect(ruled(uncertainStaysUnderReview, unseen).kind).toBe('holds');
});

test.each<[string, readonly WorkspaceRequest[], string]>([
  ['no request', [], 'not-in-workspace'],
  ['a repeated request', [UNDER_REVIEW, { ...UNDER_REVIEW, requestId: 'again' }], 'repeated'],
  ['a debit', [{ ...UNDER_REVIEW, debit: 7 }], 'debited'],
  ['a failed request', [{ ...UNDER_REVIEW, state: 'failed' }], 'not-under-review'],
  ['a released reservation', [reserved('released')], 'reservation-gone'],
  ['a consumed reservation', [reserved('consumed')], 'reservation-gone'],
])('is violated given %s, once settled or later', (_, records, code) => {
  const violation = (when: RegExp) => ({
    kind: 'violated',
    finding: { code, expected: expect.stringMatching(when) },
  });
  expect(ruling({ soon: records })).toMatchObject(violation(/, once settled$/));
  expect(ruling({ later: records })).toMatchObject(violation(/, after the next chat$/));
});

test('is violated given one request ID for the lost request and the fresh one', () => {
  const same = [{ ...UNDER_REVIEW, requestId: SUCCEEDED.requestId }];
  const violation = { kind: 'violated', finding: { code: 'not-its-own' } };
  expect(ruling({ soon: same })).toMatchObject(violation);
  expect(ruling({ later: same })).toMatchObject(violation);
});

test('is inconclusive given a timeout that was refused as unavailable instead, of which nothing is kept', () => {
  const unavailable = answered({ status: 503, body: { error: { code: 'busy', message: 'Later.' } } });
  const refused = { fault: 'timeout', exchanges: [unavailable], soon: [], later: [] } as const;
  expect(ruling(refused)).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(/unavailable/),
  });
  expect(ruling({ ...refused, fault: 'gateway_failure' }).kind).toBe('violated');
  expect(ruling({ ...refused, exchanges: [answered({ status: 503, body: 'gone' })] }).kind).toBe('violated');
});

test('is inconclusive given a request that runs and runs', () => {
  expect(ruling({ soon: [{ ...UNDER_REVIEW, state: 'running' }] }).kind).toBe('inconclusive');
});

test.each<[string, readonly WorkspaceRequest[]]>([
  ['nothing', []],
  ['two requests', [SUCCEEDED, { ...SUCCEEDED, requestId: 'other' }]],
  ['a request that runs', [{ ...SUCCEEDED, state: 'running' }]],
])('is inconclusive given a workspace that shows %s of the same chat, served', (_, fresh) => {
  expect(ruling({ fresh, soon: [] }).kind).toBe('inconclusive');
});

test('is not exercised given an answer that leaves nothing uncertain', () => {
  expect(ruling({ exchanges: [answered(SERVED)], soon: [] }).kind).toBe('not-exercised');
  expect(ruling({ exchanges: [lost()], soon: [] }).kind).toBe('violated');
});
