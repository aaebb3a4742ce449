import { expect, test } from 'vitest';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { REFUSED, ruled, SERVED } from '../engine/test-support/rulings.ts';
import { gatewayFailureIsNoSuccess, uncertainStaysUnderReview } from './armed-losses.ts';
import { lossTrial, lost, SUCCEEDED, UNDER_REVIEW } from './test-support/armed-trials.ts';

const ofFailure = (...trial: Parameters<typeof lossTrial>) =>
  ruled(gatewayFailureIsNoSuccess, lossTrial(...trial));

const chunk = (delta: object, finish_reason: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const HELLO = chunk({ content: 'Hello.' }, null);
const END = chunk({}, 'stop');

test.each([
  ['holds', 'the page of a gateway', lost({ status: 504, body: '<html>' })],
  ['holds', 'a refusal that broke off', lost({ status: 400 })],
  ['holds', 'a failure', answered({ status: 500 })],
  ['holds', 'a refusal', answered(REFUSED)],
  ['violated', 'a completion', answered(SERVED)],
  ['violated', 'a stream of text that says why it ends', answered({ body: HELLO + END })],
  ['inconclusive', 'no answer at all', lost()],
  ['inconclusive', 'a success that broke off', lost(SERVED)],
  ['inconclusive', 'a redirection that broke off', lost({ status: 399 })],
  ['inconclusive', 'an unrecognised answer', answered({ body: 'Hm.' })],
  ['inconclusive', 'a stream that never says why it ends', answered({ body: HELLO })],
  ['inconclusive', 'a stream without text', answered({ body: END })],
  ['inconclusive', 'a stream of nothing but a comment', answered({ body: ': wait\n\n' })],
])('gateway-failure-is-no-success: %s given %s', (kind, _, exchange) => {
  const finding = { code: 'served' };
  expect(ofFailure({ exchanges: [exchange] })).toMatchObject({
    kind,
    ...(kind === 'violated' && { finding }),
  });
});

test.each<[string, string, Parameters<typeof lossTrial>[0]]>([
  ['not-exercised', 'another fault', { fault: 'timeout', exchanges: [answered(SERVED)] }],
  ['inconclusive', 'a fault that did not trigger', { fired: 0, exchanges: [answered(SERVED)] }],
  ['inconclusive', 'a loss without a fault that triggered', { fired: 0 }],
])('gateway-failure-is-no-success: %s given %s', (kind, _, trial) => {
  expect(ofFailure(trial).kind).toBe(kind);
});

const ofReview = (...trial: Parameters<typeof lossTrial>) =>
  ruled(uncertainStaysUnderReview, lossTrial(...trial));

const reserved = (state: 'held' | 'released' | 'consumed'): WorkspaceRequest => ({
  ...UNDER_REVIEW,
  reservation: { credits: 20, state },
});

test.each<[string, WorkspaceRequest]>([
  ['a reservation under review', UNDER_REVIEW],
  ['a reservation that is held', reserved('held')],
  ['no reservation, which may be', { ...UNDER_REVIEW, reservation: null }],
])('uncertain-stays-under-review: holds given %s', (_, record) => {
  expect(ofReview({ soon: [record], later: [record] })).toEqual({ kind: 'holds' });
});

test('uncertain-stays-under-review: holds given a failure that was answered', () => {
  expect(ofReview({ exchanges: [answered({ status: 500 })] }).kind).toBe('holds');
});

test.each<[string, readonly WorkspaceRequest[], string]>([
  ['no request', [], 'not-in-workspace'],
  ['a repeated request', [UNDER_REVIEW, { ...UNDER_REVIEW, requestId: 'again' }], 'repeated'],
  ['a debit', [{ ...UNDER_REVIEW, debit: 7 }], 'debited'],
  ['a failed request', [{ ...UNDER_REVIEW, state: 'failed' }], 'not-under-review'],
  ['a released reservation', [reserved('released')], 'reservation-gone'],
  ['a consumed reservation', [reserved('consumed')], 'reservation-gone'],
])('uncertain-stays-under-review: is violated given %s, once settled or later', (_, records, code) => {
  const violation = (when: RegExp) => ({
    kind: 'violated',
    finding: { code, expected: expect.stringMatching(when) },
  });
  expect(ofReview({ soon: records })).toMatchObject(violation(/, once settled$/));
  expect(ofReview({ later: records })).toMatchObject(violation(/, after the next chat$/));
});

test('uncertain-stays-under-review: is violated given one request ID for the lost request and the fresh one', () => {
  const same = [{ ...UNDER_REVIEW, requestId: SUCCEEDED.requestId }];
  const violation = { kind: 'violated', finding: { code: 'not-its-own' } };
  expect(ofReview({ soon: same })).toMatchObject(violation);
  expect(ofReview({ later: same })).toMatchObject(violation);
});

test('uncertain-stays-under-review: is inconclusive given a timeout that was refused as unavailable instead, of which nothing is kept', () => {
  const unavailable = answered({ status: 503, body: { error: { code: 'busy', message: 'Later.' } } });
  const refused = { fault: 'timeout', exchanges: [unavailable], soon: [], later: [] } as const;
  expect(ofReview(refused)).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(/503 instead of losing/),
  });
  expect(ofReview({ ...refused, fault: 'gateway_failure' }).kind).toBe('violated');
  expect(ofReview({ ...refused, exchanges: [answered({ status: 503, body: 'gone' })] }).kind).toBe(
    'violated',
  );
});

test('uncertain-stays-under-review: is inconclusive given a request that runs and runs', () => {
  expect(ofReview({ soon: [{ ...UNDER_REVIEW, state: 'running' }] }).kind).toBe('inconclusive');
});

test.each<[string, readonly WorkspaceRequest[]]>([
  ['nothing', []],
  ['two requests', [SUCCEEDED, { ...SUCCEEDED, requestId: 'other' }]],
  ['a request that runs', [{ ...SUCCEEDED, state: 'running' }]],
])(
  'uncertain-stays-under-review: is inconclusive given a workspace that shows %s of the same chat, served',
  (_, fresh) => {
    expect(ofReview({ fresh, soon: [] }).kind).toBe('inconclusive');
  },
);

test('uncertain-stays-under-review: is not exercised given an answer that leaves nothing uncertain', () => {
  expect(ofReview({ exchanges: [answered(SERVED)], soon: [] }).kind).toBe('not-exercised');
  expect(ofReview({ exchanges: [lost()], soon: [] }).kind).toBe('violated');
});
