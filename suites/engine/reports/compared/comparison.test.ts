import { expect, test } from 'vitest';
import { type JsonReport, reportSchema } from '../../model/summary.ts';
import type { CheckResult, Summary, Verdict } from '../../model/summary.ts';
import { SUMMARY, TROUBLED } from '../../test-support/summary.ts';
import { withoutColours } from '../colours.ts';
import { jsonReport } from '../json-report.ts';
import { compareReports, comparisonText, isWorse } from './comparison.ts';

function reportOf(summary: Summary, change: Partial<CheckResult> = {}): JsonReport {
  const checks = summary.checks.map((check) => ({ ...check, ...change }));
  return reportSchema.parse(JSON.parse(jsonReport({ ...summary, checks })));
}

const PASSED = reportOf(SUMMARY);
const FAILED = reportOf({ ...SUMMARY, checks: TROUBLED.checks });

test('returns nothing changed given the same report twice', () => {
  const comparison = compareReports(FAILED, FAILED);
  const nothing = { circumstances: [], checks: [], open: [], onlyBefore: [], onlyAfter: [] };
  expect(comparison).toEqual({ ...nothing, same: 1 });
  expect(isWorse(comparison)).toBe(false);
});

test.each<[Verdict, Verdict, string]>([
  ['pass', 'fail', 'worse'],
  ['warn', 'fail', 'worse'],
  ['not-exercised', 'warn', 'worse'],
  ['pass', 'not-exercised', 'worse'],
  ['observed', 'error', 'worse'],
  ['fail', 'pass', 'better'],
  ['fail', 'warn', 'better'],
  ['inconclusive', 'observed', 'better'],
  ['fail', 'not-exercised', 'other'],
  ['fail', 'error', 'other'],
  ['pass', 'inconclusive', 'other'],
  ['observed', 'pass', 'other'],
])('compares %s with a later %s: %s', (before, after, direction) => {
  const [was, is] = [before, after].map((verdict) => reportOf(SUMMARY, { verdict }));
  expect(compareReports(was ?? PASSED, is ?? PASSED).checks).toMatchObject([{ direction }]);
});

test.each<[string, Partial<CheckResult>, readonly string[]]>([
  ['another kind', { failures: [{ code: 'crashed', trials: 1 }] }, ['worse']],
  ['no kind', { failures: [] }, ['better']],
  ['another count', { reason: 'accepted, 9 of 12 trials' }, []],
])('compares failures under one verdict: %s', (_, change, directions) => {
  const { checks } = compareReports(FAILED, reportOf({ ...SUMMARY, checks: TROUBLED.checks }, change));
  expect(checks.map(({ direction }) => direction)).toEqual(directions);
});

test('calls nothing better of which the failing input was not sent again, unless the run draws the same', () => {
  const passed = (before: CheckResult['before']): JsonReport =>
    reportOf({ ...SUMMARY, seed: 8 }, before === undefined ? {} : { before });
  const [kind = expect.fail()] = FAILED.checks[0]?.failures ?? [];
  const fates = ['fixed', 'undecided', 'still fails'] as const;
  const [fixed, unsent, otherwise] = fates.map((fate) =>
    passed([{ code: kind.code, path: kind.path ?? '', fate }]),
  );
  const directions = [PASSED, fixed, unsent, otherwise, passed(undefined)].map((after = PASSED) => {
    return compareReports(FAILED, after).checks.map(({ direction }) => direction);
  });
  expect(directions).toEqual([['better'], ['better'], ['other'], ['other'], ['other']]);
  const text = comparisonText(compareReports(FAILED, unsent ?? PASSED), withoutColours);
  expect(text).toMatch(/^Changed, undecided, or not sent again\n {2}unknown-field-refused: fail → pass$/m);
});

test('reads the words that older reports have for what is undecided', () => {
  const [check] = PASSED.checks;
  const older = { ...check, before: [{ code: 'accepted', fate: 'not seen again' }] };
  const { checks } = reportSchema.parse({ ...PASSED, checks: [older] });
  expect(checks[0]?.before).toEqual([{ code: 'accepted', fate: 'undecided' }]);
});

/** A report of a run that selected these checks. */
function selecting(...checks: readonly Partial<CheckResult>[]): JsonReport {
  const [first = expect.fail()] = SUMMARY.checks;
  return reportOf({ ...SUMMARY, checks: checks.map((each) => ({ ...first, ...each })) });
}

const A = selecting({ id: 'a' });
const FAILING_B = { id: 'b', verdict: 'fail', reason: 'bad' } as const;
const A_AND_B = selecting({ id: 'a' }, FAILING_B);
const A_UNASKED_B = selecting({ id: 'a' }, { ...FAILING_B, unasked: true });
const ALL_UNASKED_B = selecting({ id: 'a' }, { id: 'c' }, { ...FAILING_B, unasked: true });
const [PASSING, FAILING] = [selecting({ id: 'a' }, { id: 'b' }), selecting(FAILING_B)];

test.each<[string, JsonReport, JsonReport, boolean, string]>([
  [
    'more that fails',
    A,
    A_AND_B,
    false,
    'selected it\n  b: fail\n      bad\n\n0 worse, 0 better, 0 changed, 1 unchanged (only in the first run: 0, only in the second: 1)',
  ],
  ['less', A_AND_B, A, false, '1 unchanged (only in the first run: 1, only in the second: 0)'],
  ['less that fails now', PASSING, FAILING, true, '0 unchanged (only in the first run: 1, only in'],
  ['the same, and what nobody asked for fails', A, A_UNASKED_B, true, '1 worse, 0 better'],
  ['more, and what nobody asked for fails', A, ALL_UNASKED_B, false, '0 worse'],
])('compares what both runs selected, given a second that selected %s', (_, before, after, worse, counts) => {
  const comparison = compareReports(before, after);
  expect(isWorse(comparison)).toBe(worse);
  expect(comparisonText(comparison, withoutColours)).toContain(counts);
});

test('says first how the runs differ', () => {
  const elsewhere = reportOf({
    ...SUMMARY,
    seed: 8,
    caps: { requests: null, completions: 9, outputTokens: 16 },
    target: { ...SUMMARY.target, baseUrl: 'http://127.0.0.1:2/v1' },
  });
  expect(comparisonText(compareReports(PASSED, elsewhere), withoutColours)).toBe(
    [
      'The runs differ',
      '  target: http://127.0.0.1:1/v1 → http://127.0.0.1:2/v1',
      '  seed: 7 → 8',
      '  cap on requests: 300 → none',
      '  cap on completions: 80 → 9',
      '',
      '0 worse, 0 better, 0 changed, 1 unchanged',
    ].join('\n'),
  );
});

test('takes two mocks for the same target, whatever their port', () => {
  const mock = (port: number): JsonReport =>
    reportOf({ ...SUMMARY, target: { baseUrl: `http://127.0.0.1:${port}/v1`, kind: 'mock', profile: null } });
  expect(compareReports(mock(1), mock(2)).circumstances).toEqual([]);
});

test('says what changed at an open point', () => {
  const observed = { clause: 'REQ-6', point: 'error.code', observed: '/error/code' } as const;
  const before = reportOf({ ...SUMMARY, open: [observed] });
  const moved = reportOf({ ...SUMMARY, open: [{ ...observed, observed: '/code' }] });
  const text = comparisonText(compareReports(before, moved), withoutColours);
  expect(text).toContain('Open points\n  error.code: /error/code → /code');
});
