import { expect, test } from 'vitest';
import type { ClauseResult, Summary } from '../../../suites/engine/model/summary.ts';
import { SUMMARY } from '../../../suites/engine/test-support/summary.ts';
import type { Stricter } from './check-table.ts';
import { exitCodeOf, withFailOn } from './fail-on.ts';

function codeOf(change: Partial<Summary>, ...failOn: readonly Stricter[]): number {
  return exitCodeOf(withFailOn({ ...SUMMARY, ...change }, failOn));
}

function clause(id: ClauseResult['id'], verdict: ClauseResult['verdict']): ClauseResult {
  return { id, bound: 'service', level: 'stated', verdict, checks: [], reason: 'because' };
}

test('returns the code of each outcome', () => {
  const outcomes = ['conformant', 'violations', 'incomplete'] as const;
  expect(outcomes.map((outcome) => codeOf({ outcome }))).toEqual([0, 1, 3]);
});

test('returns 1 for a warning only when asked to', () => {
  const change = { outcome: 'conformant', clauses: [clause('ERR-10', 'warn')] } as const;
  expect(codeOf(change)).toBe(0);
  expect(codeOf(change, 'warn')).toBe(1);
  expect(codeOf(change, 'not-exercised')).toBe(0);
});

test('returns 1 for a clause without an answer only when asked to, and only when there could be one', () => {
  for (const verdict of ['not-exercised', 'inconclusive'] as const) {
    const change = { outcome: 'conformant', clauses: [clause('AUTH-2', verdict)] } as const;
    expect(codeOf(change)).toBe(0);
    expect(codeOf(change, 'not-exercised')).toBe(1);
    expect(codeOf({ ...change, clauses: [clause('CALL-1', verdict)] }, 'not-exercised')).toBe(0);
  }
});

test('returns the outcome that the exit code tells, and the IDs of what the run fails on', () => {
  const summary = { ...SUMMARY, clauses: [clause('ERR-10', 'warn'), clause('AUTH-2', 'inconclusive')] };
  expect(withFailOn(summary)).toEqual(summary);
  expect(withFailOn(summary, ['warn', 'not-exercised'] as const)).toMatchObject({
    outcome: 'violations',
    failedOn: ['Failed on warn: ERR-10', 'Failed on not-exercised: AUTH-2'],
  });
});

test('returns 4, and the summary as it is, given a run that could not begin', () => {
  const change = { outcome: 'incomplete', notBegun: { reason: 'refused' } } as const;
  expect(codeOf({ ...change, clauses: [clause('AUTH-2', 'inconclusive')] }, 'not-exercised')).toBe(4);
});
