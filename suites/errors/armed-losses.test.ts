import { expect, test } from 'vitest';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { REFUSED, ruled, SERVED } from '../engine/test-support/rulings.ts';
import { gatewayFailureIsNoSuccess, uncertainStaysUnderReview } from './armed-losses.ts';
import { lossTrial, lost, SUCCEEDED, UNDER_REVIEW } from './test-support/armed-trials.ts';

type Loss = Parameters<typeof lossTrial>[0];

const ofFailure = (trial: Loss) => ruled(gatewayFailureIsNoSuccess, lossTrial(trial));

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

test.each<[string, string, Loss]>([
  ['not-exercised', 'another fault', { fault: 'timeout', exchanges: [answered(SERVED)] }],
  ['inconclusive', 'a fault that did not trigger', { fired: 0, exchanges: [answered(SERVED)] }],
  ['inconclusive', 'a loss without a fault that triggered', { fired: 0 }],
])('gateway-failure-is-no-success: %s given %s', (kind, _, trial) => {
  expect(ofFailure(trial).kind).toBe(kind);
});

const ofReview = (trial: Loss) => ruled(uncertainStaysUnderReview, lossTrial(trial));

const reserved = (state: 'held' | 'released' | 'consumed'): WorkspaceRequest => ({
  ...UNDER_REVIEW,
  reservation: { credits: 20, state },
});

const shown = (record: WorkspaceRequest): Loss => ({ soon: [record], later: [record] });
const UNAVAILABLE = answered({ status: 503, body: { error: { code: 'busy', message: 'Later.' } } });
const GONE = answered({ status: 503, body: 'gone' });
const kept = (fault: 'timeout' | 'gateway_failure', exchange: Exchange): Loss => ({
  fault,
  exchanges: [exchange],
  soon: [],
  later: [],
});
const beside = (...fresh: readonly WorkspaceRequest[]): Loss => ({ fresh, soon: [] });

test.each<[string, string, Loss]>([
  ['holds', 'a reservation under review', shown(UNDER_REVIEW)],
  ['holds', 'a reservation that is held', shown(reserved('held'))],
  ['holds', 'no reservation, which may be', shown({ ...UNDER_REVIEW, reservation: null })],
  ['holds', 'a failure that was answered', { exchanges: [answered({ status: 500 })] }],
  ['inconclusive', 'a request that runs and runs', { soon: [{ ...UNDER_REVIEW, state: 'running' }] }],
  ['inconclusive', 'nothing of the same chat, served', beside()],
  ['inconclusive', 'two requests of it', beside(SUCCEEDED, { ...SUCCEEDED, requestId: 'other' })],
  ['inconclusive', 'a request of it that runs', beside({ ...SUCCEEDED, state: 'running' })],
  ['not-exercised', 'an answer that leaves nothing uncertain', { exchanges: [answered(SERVED)], soon: [] }],
  ['violated', 'nothing of what was lost', { exchanges: [lost()], soon: [] }],
  ['violated', 'nothing of a failure that was refused', kept('gateway_failure', UNAVAILABLE)],
  ['violated', 'nothing of a timeout that was refused without an error', kept('timeout', GONE)],
])('uncertain-stays-under-review: %s given a workspace that shows %s', (kind, _, trial) => {
  expect(ofReview(trial).kind).toBe(kind);
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

test('uncertain-stays-under-review: is inconclusive, and says why, given a timeout that was refused as unavailable', () => {
  expect(ofReview(kept('timeout', UNAVAILABLE))).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(/503 instead of losing/),
  });
});
