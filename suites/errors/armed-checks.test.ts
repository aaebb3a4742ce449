import { expect, test } from 'vitest';
import type { Check } from '../kit/model/check.ts';
import { bankVerdict, runAgainstBank } from '../kit/test-support/bank-verdicts.ts';
import { BANK_COMPLETION, type Departures, type ShownRequest } from '../kit/test-support/bank.ts';
import { neverFails } from './answer-invariants.ts';
import { armedRateLimitError, failureStatus, unavailabilityIsError } from './armed-refusals.ts';
import { errorObject } from './error-object.ts';
import { gatewayFailureIsNoSuccess } from './gateway-failure-is-no-success.ts';
import { uncertainStaysUnderReview } from './uncertain-stays-under-review.ts';

const ALL = [
  armedRateLimitError,
  unavailabilityIsError,
  failureStatus,
  gatewayFailureIsNoSuccess,
  uncertainStaysUnderReview,
];

/** Answers these faults with a completion, as if they had not triggered. */
const servesAt = (...faults: readonly string[]): Departures => ({
  replyToFault: (fault) => (fault !== undefined && faults.includes(fault) ? BANK_COMPLETION : undefined),
});
const answers = (fault: string, status: number, body: string | object): Departures => ({
  replyToFault: (met) => (met === fault ? { status, body } : undefined),
});
/** Falsifies what the workspace shows of a request under review. */
const showsLost = (change: (request: ShownRequest) => readonly object[]): Departures => ({
  shown: (request) => (request.state === 'under_review' ? change(request) : [request]),
});

test('passes a faithful service, and leaves it unchanged', async () => {
  const { bank, summary } = await runAgainstBank(
    ALL,
    {},
    { runs: 'few', invariants: [neverFails, errorObject] },
  );
  expect(summary.checks.map(({ id, verdict, reason }) => `${id} ${verdict} ${reason}`)).toEqual(
    [...ALL, neverFails, errorObject].map(({ id }) => `${id} pass `),
  );
  expect(summary).toMatchObject({ outcome: 'conformant', uncertain: [], spent: { uncertain: 0 } });
  // The two listings, the counterpart, and those of the checks.
  expect(summary.spent.requests).toBe(3 + 9);
  expect([bank.armed(), bank.held()]).toEqual([undefined, 0]);
});

test.each(ALL)('$id: is not exercised without a control URL, and sends nothing', async (check) => {
  const { bank, summary } = await runAgainstBank([check], {}, {}, 'uncontrolled');
  expect(summary.checks[0]).toMatchObject({ verdict: 'not-exercised', reason: 'needs --control-url' });
  expect([bank.asked, summary.spent.requests]).toEqual([[], 2]);
});

test.each<[string, Check]>([
  ['rate_limit', armedRateLimitError],
  ['model_unavailable', unavailabilityIsError],
  ['service_unavailable', unavailabilityIsError],
  ['gateway_failure', gatewayFailureIsNoSuccess],
])('fails given a completion in place of %s', async (fault, check) => {
  expect(await bankVerdict(check, servesAt(fault))).toMatch(/^fail: .*served|^fail: .*a completion/);
});

test.each<[string, number, string | object, Check]>([
  ['rate_limit', 400, 'Too many.', armedRateLimitError],
  ['rate_limit', 429, ['slow down'], armedRateLimitError],
  ['model_unavailable', 404, 'Gone.', unavailabilityIsError],
  ['service_unavailable', 503, [false], unavailabilityIsError],
])('fails given %s told with %d and %j', async (fault, status, body, check) => {
  expect(await bankVerdict(check, answers(fault, status, body))).toMatch(/^fail: expected an error object/);
});

test('failure-status: warns given a 4xx status of a service that is unavailable, and of nothing else', async () => {
  const error = { error: { code: 'unavailable', message: 'Come back later.', request_id: 'r-1' } };
  const verdict = (fault: string, status: number) =>
    bankVerdict(failureStatus, answers(fault, status, error));
  expect(await verdict('service_unavailable', 409)).toMatch(/^warn: expected a 5xx status; got status 409/);
  expect(await verdict('service_unavailable', 429)).toMatch(/^inconclusive: a rate limit error/);
  expect(await verdict('model_unavailable', 409)).toBe('pass: ');
});

test("is inconclusive given a page that may be a front's", async () => {
  const verdict = await bankVerdict(armedRateLimitError, answers('rate_limit', 429, 'Too many.'));
  expect(verdict).toMatch(/^inconclusive: a page that may be a front's/);
});

test.each<[string, number, string, Check]>([
  ['service_unavailable', 503, '<html>Unavailable</html>', unavailabilityIsError],
  ['gateway_failure', 500, '', gatewayFailureIsNoSuccess],
  ['gateway_failure', 504, '{"error":{}}', gatewayFailureIsNoSuccess],
])('passes given %s told with %d and %j', async (fault, status, body, check) => {
  expect(await bankVerdict(check, answers(fault, status, body))).toBe('pass: ');
});

test.each<[string, Departures]>([
  ['a request that the workspace does not know', showsLost(() => [])],
  ['a request that was repeated', showsLost((lost) => [lost, { ...lost, requestId: 'again' }])],
  ['a debit', showsLost((lost) => [{ ...lost, debit: 7 }])],
  ['a failed request', showsLost((lost) => [{ ...lost, state: 'failed' }])],
  [
    'a released reservation',
    showsLost((lost) => [{ ...lost, reservation: { credits: 20, state: 'released' } }]),
  ],
  [
    'one request ID for the lost and the fresh one',
    { shown: (request) => [{ ...request, requestId: 'same' }] },
  ],
])('uncertain-stays-under-review: fails given %s', async (_, departures) => {
  expect(await bankVerdict(uncertainStaysUnderReview, departures)).toMatch(/^fail: /);
});

test('uncertain-stays-under-review: fails given a request that is charged for later', async () => {
  let looks = 0;
  const later = showsLost((lost) => {
    looks += 1;
    return looks === 1 ? [lost] : [{ ...lost, state: 'succeeded', debit: 7 }];
  });
  expect(await bankVerdict(uncertainStaysUnderReview, later)).toMatch(
    /after the next chat; got 1 request: succeeded/,
  );
});

test.each<[string, Departures]>([
  ['no reservation, which may be', showsLost((lost) => [{ ...lost, reservation: null }])],
  [
    'no way to resolve a request',
    { control: (method) => (method === 'POST' ? { status: 404, body: '' } : undefined) },
  ],
])('uncertain-stays-under-review: passes given %s', async (_, departures) => {
  expect(await bankVerdict(uncertainStaysUnderReview, departures)).toBe('pass: ');
});

test.each<[string, Departures]>([
  ['a workspace that does not know what was served', { shown: () => [] }],
  ['a request that runs and runs', showsLost((lost) => [{ ...lost, state: 'running' }])],
  ['requests without a state', { shown: ({ requestId }) => [{ requestId }] }],
])('uncertain-stays-under-review: is inconclusive given %s', async (_, departures) => {
  expect(await bankVerdict(uncertainStaysUnderReview, departures)).toMatch(/^inconclusive: /);
});

test('uncertain-stays-under-review: looks up a counterpart after a timeout, too', async () => {
  const neverShown = { shown: () => [] };
  const { bank, summary } = await runAgainstBank([uncertainStaysUnderReview], neverShown, { runs: 'few' });
  expect(summary.checks[0]).toMatchObject({ verdict: 'inconclusive', failures: [] });
  expect(bank.asked.filter((asked) => asked === 'PUT /faults')).toHaveLength(2);
});

test.each(ALL)('$id: is inconclusive given a fault that did not trigger', async (check) => {
  const rules = { rules: [{ fired: 0 }] };
  const control = (method: string, path: string) =>
    method === 'GET' && path === '/faults' ? { status: 200, body: rules } : undefined;
  expect(await bankVerdict(check, { control })).toMatch(/^inconclusive: \w+ was armed and did not trigger$/);
});

test.each(ALL)('$id: is not exercised given a deployment that arms no such fault', async (check) => {
  const error = { error: { message: 'No such fault.' } };
  const control = (method: string) => (method === 'PUT' ? { status: 400, body: error } : undefined);
  const { bank, summary } = await runAgainstBank([check], { control });
  expect(summary.checks[0]).toMatchObject({
    verdict: 'not-exercised',
    reason: 'PUT of /faults below the control URL was refused with status 400: No such fault.',
  });
  expect([summary.cutShort, bank.asked.includes('DELETE /faults')]).toEqual([[], false]);
});

test('lists what was lost as uncertain where the workspace cannot be asked, and disarms nevertheless', async () => {
  const control = (_: string, path: string) =>
    path.startsWith('/requests') ? { status: 500, body: '' } : undefined;
  const { bank, summary } = await runAgainstBank([uncertainStaysUnderReview], { control });
  expect(summary.checks[0]?.verdict).toBe('inconclusive');
  expect([summary.outcome, summary.uncertain.length, summary.spent.uncertain]).toEqual(['incomplete', 4, 4]);
  expect(bank.armed()).toBeUndefined();
});

test('says that a fault may still be armed where it cannot be disarmed', async () => {
  const control = (method: string) => (method === 'DELETE' ? { status: 500, body: '' } : undefined);
  const { summary } = await runAgainstBank([armedRateLimitError], { control });
  expect(summary.outcome).toBe('incomplete');
  expect(summary.cutShort[0]).toMatch(/^a fault may still be armed: DELETE of \/faults/);
});

test('disarms what is armed when the run is interrupted', async () => {
  const interruption = new AbortController();
  const replyToFault = () => {
    interruption.abort();
    return undefined;
  };
  const { bank, summary } = await runAgainstBank(ALL, { replyToFault }, { signal: interruption.signal });
  expect(summary.cutShort).toEqual([expect.stringContaining('interrupted')]);
  expect(bank.armed()).toBeUndefined();
});

test('sends the token to the control URL only', async () => {
  const refused = { error: { message: 'The token control-token is wrong.' } };
  const { bank, summary } = await runAgainstBank(ALL, { control: () => ({ status: 403, body: refused }) });
  expect([...bank.tokens]).toEqual(['Bearer control-token']);
  expect(JSON.stringify(summary)).not.toContain('control-token');
  expect(summary.checks.map(({ verdict }) => verdict)).toEqual(ALL.map(() => 'inconclusive'));
});
