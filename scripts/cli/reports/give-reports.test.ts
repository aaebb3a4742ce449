import { expect, test } from 'vitest';
import type { ClauseResult, Summary } from '../../../suites/engine/model/summary.ts';
import { SUMMARY } from '../../../suites/engine/test-support/summary.ts';
import type { Stricter } from '../options/check-table.ts';
import { exitCodeOf, withFailOn } from './give-reports.ts';

function clause(id: ClauseResult['id'], verdict: ClauseResult['verdict']): Partial<Summary> {
  const result = { id, bound: 'service', level: 'stated', verdict, checks: [], reason: 'because' } as const;
  return { outcome: 'conformant', clauses: [result] };
}

const [CHECK] = SUMMARY.checks;
const WARNED: Partial<Summary> =
  CHECK === undefined ? {} : { checks: [{ ...CHECK, verdict: 'warn' }], clauses: [] };

const UNANSWERED = ['not-exercised'] as const;

test.each<[string, Partial<Summary>, readonly Stricter[], number]>([
  ['conformant', { outcome: 'conformant' }, [], 0],
  ['violations', { outcome: 'violations' }, [], 1],
  ['incomplete', { outcome: 'incomplete' }, [], 3],
  ['a warning', WARNED, [], 0],
  ['a warning, where asked to', WARNED, ['warn'], 1],
  ['a warning, asked for something else', WARNED, UNANSWERED, 0],
  ['a clause without an answer', clause('AUTH-2', 'not-exercised'), [], 0],
  ['the same, where asked to', clause('AUTH-2', 'not-exercised'), UNANSWERED, 1],
  ['an inconclusive one, where asked to', clause('AUTH-2', 'inconclusive'), UNANSWERED, 1],
  ['one that no service can answer', clause('CALL-1', 'inconclusive'), UNANSWERED, 0],
  [
    'a run that could not begin',
    { ...clause('AUTH-2', 'inconclusive'), outcome: 'incomplete', notBegun: { reason: 'refused' } },
    UNANSWERED,
    4,
  ],
])('returns the code given %s', (_what, change, failOn, code) => {
  expect(exitCodeOf(withFailOn({ ...SUMMARY, ...change }, failOn))).toBe(code);
});

test('returns the outcome that the exit code tells, and the IDs of what the run fails on', () => {
  const summary = { ...SUMMARY, ...WARNED };
  expect(withFailOn(summary)).toEqual(summary);
  expect(withFailOn(summary, ['warn', 'inconclusive'])).toMatchObject({
    outcome: 'violations',
    failedOn: ['Failed on warn: unknown-field-refused'],
  });
});
