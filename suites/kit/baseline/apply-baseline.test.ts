import { expect, test } from 'vitest';
import type { KnownFailure } from '../model/known-failure.ts';
import type { CheckResult, Summary, Verdict } from '../model/summary.ts';
import { SUMMARY, TROUBLED } from '../test-support/summary.ts';
import { applyBaseline, knownFailures, makeBaseline } from './apply-baseline.ts';

const TODAY = '2026-06-15';
const CHECK = 'unknown-field-refused';
const LISTED: KnownFailure = { check: CHECK, reason: 'to be fixed in spring' };
const FAILED = { ...TROUBLED, uncertain: [], cutShort: [] };

function withResult(change: Partial<CheckResult>, summary: Summary = FAILED): Summary {
  return { ...summary, checks: summary.checks.map((check) => ({ ...check, ...change })) };
}

function applied(summary: Summary, ...entries: readonly Partial<KnownFailure>[]) {
  const listed = entries.map((entry) => ({ ...LISTED, ...entry }));
  const { checks, outcome, baseline } = applyBaseline(
    { ...summary, startedAt: `${TODAY}T23:59:59.000Z` },
    listed,
  );
  return { known: checks[0]?.known, outcome, ...baseline };
}

test('knows a failure that is listed by its check, its code, or its code and path', () => {
  const known = { known: ['to be fixed in spring'], outcome: 'conformant', problems: [] };
  expect(applied(FAILED, {})).toEqual(known);
  expect(applied(FAILED, { failure: { code: 'accepted' } })).toEqual(known);
  expect(applied(FAILED, { failure: { code: 'accepted', path: '/n' } })).toEqual(known);
});

test.each([
  ['another code', { code: 'no-error-object' }],
  ['another path', { code: 'accepted', path: '/m' }],
])('fails on the failure and on the entry given %s', (_what, failure) => {
  expect(applied(FAILED, { failure })).toEqual({
    known: undefined,
    outcome: 'violations',
    problems: [expect.stringContaining('no longer fails in this way: remove it')],
  });
});

test('says once what is wrong with equal entries', () => {
  const failure = { code: 'crashed' };
  expect(applied(FAILED, { failure }, { failure, reason: 'also' }).problems).toHaveLength(1);
});

test('hides no second way of failing behind one that is listed', () => {
  const failures = [
    { code: 'accepted', path: '/n', trials: 1 },
    { code: 'crashed', trials: 1 },
  ];
  const summary = withResult({ failures });
  expect(applied(summary, { failure: { code: 'accepted' } })).toMatchObject({
    outcome: 'violations',
    problems: [],
  });
  expect(
    applied(summary, { failure: { code: 'accepted' } }, { failure: { code: 'crashed' }, reason: 'also' }),
  ).toEqual({ known: ['to be fixed in spring', 'also'], outcome: 'conformant', problems: [] });
});

test('accepts a failure until the end of its last day, and fails the run from then on', () => {
  expect(applied(FAILED, { until: TODAY })).toMatchObject({ outcome: 'conformant', problems: [] });
  expect(applied(FAILED, { until: '2026-06-14' })).toEqual({
    known: undefined,
    outcome: 'violations',
    problems: ['unknown-field-refused was accepted until 2026-06-14'],
  });
});

test.each([
  ['passes', 'pass', 'no longer fails: remove it'],
  ['is only observed', 'observed', 'no longer fails: remove it'],
  ['was not exercised', 'not-exercised', 'was not exercised'],
] as const)('fails on an entry of a check that %s', (_what, verdict, problem) => {
  expect(applied(withResult({ verdict, failures: [] }), {})).toMatchObject({
    outcome: 'violations',
    problems: [expect.stringContaining(problem)],
  });
});

test('does not fail on an entry for which a cap left no room', () => {
  const reason = 'not sent: the cap of 80 completions was reached';
  const summary = withResult({ verdict: 'not-exercised', reason, failures: [] });
  expect(applied(summary, {})).toMatchObject({ outcome: 'incomplete', problems: [] });
});

test('knows for a run what is listed and has not expired', () => {
  const entries = [
    { ...LISTED, failure: { code: 'accepted' } },
    { ...LISTED, check: 'gone', until: '2026-06-14' },
  ];
  const { checks, lists } = knownFailures(entries, TODAY);
  expect([...checks]).toEqual([CHECK]);
  expect([lists(CHECK, { code: 'accepted', path: '/n' }), lists(CHECK, { code: 'crashed' })]).toEqual([
    true,
    false,
  ]);
  expect(lists('gone', { code: 'accepted' })).toBe(false);
});

test.each<Verdict>(['error', 'inconclusive'])('takes nothing from a check whose verdict is %s', (verdict) => {
  const { known, problems } = applied(withResult({ verdict }), {});
  expect([known, problems]).toEqual([undefined, []]);
});

test('never hides an error of the suites', () => {
  expect(applied(withResult({ verdict: 'error' }), {}).outcome).toBe('incomplete');
});

test('ignores an entry whose check was not selected', () => {
  expect(applied(SUMMARY, { check: 'another-check' })).toMatchObject({ outcome: 'conformant', problems: [] });
});

test('leaves a run that was cut short incomplete', () => {
  expect(applied(TROUBLED, {}).outcome).toBe('incomplete');
});

test('knows a warning as well', () => {
  expect(applied(withResult({ verdict: 'warn' }), {}).known).toEqual(['to be fixed in spring']);
});

test('makes a baseline with which the same run does not fail, and that says what happened', () => {
  const made = makeBaseline(FAILED, []);
  expect(made).toEqual([
    {
      check: CHECK,
      failure: { code: 'accepted', path: '/n' },
      reason: 'to be explained: expected a refusal; got status 200',
    },
  ]);
  expect(applied(FAILED, ...made)).toMatchObject({ outcome: 'conformant', problems: [] });
});

test('keeps reason and date of what is listed already, and of what the run says nothing about', () => {
  const elsewhere = { check: 'another-check', reason: 'not selected' };
  const before = [{ ...LISTED, until: '2026-01-01' }, elsewhere];
  expect(makeBaseline(FAILED, before)).toEqual(before);
  expect(makeBaseline(withResult({ verdict: 'not-exercised', failures: [] }), before)).toEqual(before);
});

test('drops entries that are fixed', () => {
  expect(makeBaseline(SUMMARY, [LISTED])).toEqual([]);
  const other = { ...LISTED, failure: { code: 'crashed' } };
  expect(makeBaseline(FAILED, [other]).map(({ failure }) => failure?.code)).toEqual(['accepted']);
});

test('lists no error of the suites', () => {
  expect(makeBaseline(withResult({ verdict: 'error' }), [])).toEqual([]);
});

test('accepts an entry that did not occur in some of the inputs, and warns', () => {
  const part = withResult({ inputs: { tried: 18, of: 277 }, verdict: 'pass', failures: [], evidence: [] });
  const entry = { ...LISTED, failure: { code: 'accepted', path: '/n' } };
  expect(applied(part, entry)).toMatchObject({ problems: [] });
  const { warnings } = applyBaseline(part, [entry]);
  expect(warnings.at(-1)).toBe(
    'unknown-field-refused (accepted at /n) is known, and did not occur in the 18 of 277 inputs that were tried',
  );
  expect(makeBaseline(part, [entry])).toEqual([entry]);
});

test('fails on a failure that is not listed, however few of the inputs were tried', () => {
  const part = withResult({ inputs: { tried: 18, of: 277 } });
  expect(applied(part, { failure: { code: 'crashed' } })).toEqual({
    known: undefined,
    outcome: 'violations',
    problems: [],
  });
});
