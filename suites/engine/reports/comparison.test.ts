import { expect, test } from 'vitest';
import { type JsonReport, reportSchema } from '../model/report-schema.ts';
import type { CheckResult, Summary, Verdict } from '../model/summary.ts';
import { SUMMARY, TROUBLED } from '../test-support/summary.ts';
import { withoutColours } from './colours.ts';
import { compareReports, isWorse, directionOf, comparisonText } from './comparison.ts';
import { jsonReport } from './json-report.ts';

function reportOf(summary: Summary, change: Partial<CheckResult> = {}): JsonReport {
  const checks = summary.checks.map((check) => ({ ...check, ...change }));
  return reportSchema.parse(JSON.parse(jsonReport({ ...summary, checks })));
}

const PASSED = reportOf(SUMMARY);
const FAILED = reportOf({ ...SUMMARY, checks: TROUBLED.checks });

test('returns nothing changed given the same report twice', () => {
  const comparison = compareReports(FAILED, FAILED);
  expect(comparison).toEqual({ circumstances: [], checks: [], clauses: [], open: [], same: 1 });
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
  ['observed', 'pass', 'other'],
])('compares %s with a later %s: %s', (before, after, direction) => {
  const reason = 'because';
  expect(directionOf({ verdict: before, reason }, { verdict: after, reason })).toBe(direction);
});

test('distinguishes kinds of failure under one verdict', () => {
  const more = reportOf(
    { ...SUMMARY, checks: TROUBLED.checks },
    { failures: [{ code: 'crashed', trials: 1 }] },
  );
  expect(compareReports(FAILED, more).checks).toMatchObject([{ direction: 'worse' }]);
  const fewer = reportOf({ ...SUMMARY, checks: TROUBLED.checks }, { failures: [] });
  expect(compareReports(FAILED, fewer).checks).toMatchObject([{ direction: 'better' }]);
  const counted = reportOf({ ...SUMMARY, checks: TROUBLED.checks }, { reason: 'accepted, 9 of 12 trials' });
  expect(compareReports(FAILED, counted).checks).toEqual([]);
});

test('calls nothing better of which the failing input was not sent again, unless the run draws the same', () => {
  const passed = (before: CheckResult['before']): JsonReport =>
    reportOf({ ...SUMMARY, seed: 8 }, before === undefined ? {} : { before });
  const [kind = expect.fail()] = FAILED.checks[0]?.failures ?? [];
  const fates = ['fixed', 'not sent again'] as const;
  const [fixed, unsent] = fates.map((fate) => passed([{ code: kind.code, path: kind.path ?? '', fate }]));
  const directions = [PASSED, fixed, unsent, passed(undefined)].map((after = PASSED) => {
    const { checks, clauses } = compareReports(FAILED, after);
    return [...checks, ...clauses].map(({ direction }) => direction);
  });
  expect(directions).toEqual([['better'], ['better'], ['other'], ['other']]);
  const text = comparisonText(compareReports(FAILED, unsent ?? PASSED), withoutColours);
  expect(text).toContain('fail → pass, but what failed was not sent again');
});

test('returns verdict and reason before and after', () => {
  expect(compareReports(PASSED, FAILED).checks).toEqual([
    {
      id: 'unknown-field-refused',
      direction: 'worse',
      before: { verdict: 'pass', reason: '' },
      after: { verdict: 'fail', reason: 'accepted the field n' },
    },
  ]);
});

test('calls a check that only one report has new or gone', () => {
  const none = { ...PASSED, checks: [] };
  expect(compareReports(none, FAILED).checks).toMatchObject([{ direction: 'new' }]);
  expect(isWorse(compareReports(none, FAILED))).toBe(true);
  expect(isWorse(compareReports(none, PASSED))).toBe(false);
  const gone = compareReports(FAILED, none);
  expect([gone.checks, gone.same]).toMatchObject([[{ direction: 'gone' }], 0]);
});

test('leaves out clauses of which no check was selected', () => {
  const clauses = PASSED.clauses.map((clause) => ({
    ...clause,
    verdict: 'not-exercised' as const,
    checks: [],
  }));
  expect(compareReports(PASSED, { ...PASSED, clauses }).clauses).toMatchObject([
    { id: 'REQ-6', direction: 'gone' },
  ]);
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
      '  caps: 300 requests, 80 completions, 16 output tokens each → unlimited requests, 9 completions, 16 output tokens each',
      '',
      '0 worse, 0 better, 0 changed, 0 new, 0 gone, 1 unchanged',
    ].join('\n'),
  );
});

test('takes two mocks for the same target, whatever their port', () => {
  const mock = (port: number): JsonReport =>
    reportOf({ ...SUMMARY, target: { baseUrl: `http://127.0.0.1:${port}/v1`, kind: 'mock', profile: null } });
  expect(compareReports(mock(1), mock(2)).circumstances).toEqual([]);
});

test('says what changed at an open point', () => {
  const moved = reportOf({ ...SUMMARY, open: [{ clause: 'ERR-9', point: 'error.code', observed: '/code' }] });
  const text = comparisonText(compareReports(PASSED, moved), withoutColours);
  expect(text).toContain('Open points\n  error.code: "/error/code" → "/code"');
  expect(comparisonText(compareReports(PASSED, { ...PASSED, open: [] }), withoutColours)).toContain(
    '→ not observed',
  );
});
