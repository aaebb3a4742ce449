import { expect, test } from 'vitest';
import type { Check } from '../kit/model/check.ts';
import { bankVerdict, runAgainstBank } from '../kit/test-support/bank-verdicts.ts';
import type { Departures, ShownRequest } from '../kit/test-support/bank.ts';
import { refusalCostsNothing } from './refusal-costs-nothing.ts';
import { successIsDebited } from './success-is-debited.ts';
import { usageAgreesWithDebit } from './usage-agrees-with-debit.ts';

const ALL = [usageAgreesWithDebit, successIsDebited, refusalCostsNothing];

const shows = (change: Partial<Record<keyof ShownRequest, unknown>>): Departures => ({
  shown: (request) => [{ ...request, ...change }],
});

/** Shows a request where a faithful workspace shows none. */
const showingRefused = (record: object): Departures => ({
  control: (_, path) =>
    path.startsWith('/requests')
      ? { status: 200, body: { requests: [{ requestId: 'r', ...record }] } }
      : undefined,
});

test('finds nothing wrong with a faithful service, and leaves nothing armed', async () => {
  const { bank, summary } = await runAgainstBank(ALL, {}, { runs: 'few' });
  expect(summary.checks.map(({ verdict, reason }) => [verdict, reason])).toEqual(ALL.map(() => ['pass', '']));
  // The two listings, the counterpart whole and streamed, and those of the checks.
  expect(summary.spent.requests).toBe(4 + 5);
  expect(bank.asked.filter((asked) => asked !== 'GET /workspace' && asked !== 'GET /requests')).toEqual([
    'PUT /faults',
    'DELETE /faults',
  ]);
});

test.each(ALL)('$id: is not exercised given a deployment without a workspace', async (check) => {
  const control = (_: string, path: string) =>
    path === '/workspace' ? { status: 404, body: '' } : undefined;
  expect(await bankVerdict(check, { control })).toMatch(/^not-exercised: GET of \/workspace/);
});

test.each(ALL)('$id: is inconclusive given a workspace that never rests', async (check) => {
  let available = 1000;
  const control = (_: string, path: string) =>
    path === '/workspace'
      ? { status: 200, body: { keys: { primary: { available: available--, held: 0 } } } }
      : undefined;
  expect(await bankVerdict(check, { control })).toMatch(/^inconclusive: the balance never settles/);
});

test.each<[string, Check, Departures]>([
  ['no debit', successIsDebited, shows({ debit: null })],
  ['a debit of nothing', successIsDebited, shows({ debit: 0 })],
  ['two debits', successIsDebited, { shown: (one) => [one, { ...one, requestId: 'other' }] }],
  ['a reservation still held', successIsDebited, shows({ reservation: { credits: 20, state: 'held' } })],
  ['a balance lower by more than the debit', successIsDebited, { successCosts: 8 }],
  ['a balance that stays', successIsDebited, { successCosts: 0 }],
  ['credits still set aside', successIsDebited, { keeps: 3 }],
  ['other output tokens', usageAgreesWithDebit, shows({ usage: { input: 3, output: 9 } })],
  ['other input tokens', usageAgreesWithDebit, shows({ usage: { input: 4, output: 2 } })],
  ['another finish reason', usageAgreesWithDebit, shows({ finishReason: 'length' })],
  ['a lower balance', refusalCostsNothing, { refusalCosts: 1 }],
])('fails given %s', async (_, check, departures) => {
  expect(await bankVerdict(check, departures)).toMatch(/^fail: /);
});

test.each<[string, object]>([
  ['a debit', { state: 'failed', debit: 1, reservation: null }],
  ['a reservation still held', { state: 'running', debit: null, reservation: { credits: 1, state: 'held' } }],
])('refusal-costs-nothing: fails given %s of a refused chat', async (_, record) => {
  expect(await bankVerdict(refusalCostsNothing, showingRefused(record))).toMatch(/^fail: /);
});

test('refusal-costs-nothing: passes given a refused chat whose reservation was released', async () => {
  const reservation = { credits: 1, state: 'released' };
  const departures = showingRefused({ state: 'failed', debit: null, reservation });
  expect(await bankVerdict(refusalCostsNothing, departures)).toBe('pass: ');
});

test('success-is-debited: passes given no reservation, which may be', async () => {
  expect(await bankVerdict(successIsDebited, shows({ reservation: null }))).toBe('pass: ');
});

test.each<[string, Departures]>([
  ['no usage', shows({ usage: null })],
  ['no finish reason', shows({ finishReason: null })],
  ['no debit', shows({ debit: null })],
])('usage-agrees-with-debit: is not exercised given a workspace that shows %s', async (_, departures) => {
  expect(await bankVerdict(usageAgreesWithDebit, departures)).toMatch(
    /^not-exercised: the workspace shows no/,
  );
});

test('success-is-debited: is inconclusive given a request that runs and runs', async () => {
  expect(await bankVerdict(successIsDebited, shows({ state: 'running' }))).toMatch(/^inconclusive: /);
});
