import { expect, test } from 'vitest';
import type { ClauseId } from '../../../fixtures/clauses.ts';
import type { CheckResult } from '../summary.ts';
import type { Verdict } from '../verdict.ts';
import { clauseResults } from './clause-results.ts';

function result(id: string, clause: ClauseId, verdict: Verdict): CheckResult {
  return {
    id,
    clauses: [clause],
    level: 'stated',
    title: 't',
    verdict,
    reason: verdict === 'pass' ? '' : verdict,
    exchanges: 1,
    evidence: [],
  };
}

const circumstances = { invariants: new Set(['invariant']), keys: new Set(['primary'] as const) };

function verdictOf(clause: ClauseId, ...results: readonly CheckResult[]) {
  return clauseResults(results, circumstances).find(({ id }) => id === clause);
}

test('takes the weightiest verdict of the checks that bear on a clause', () => {
  const [pass, fail] = [result('a', 'VER-1', 'pass'), result('b', 'VER-1', 'fail')];
  expect(verdictOf('VER-1', pass, fail)).toMatchObject({ verdict: 'fail', checks: ['a', 'b'] });
  expect(verdictOf('VER-1', pass)).toMatchObject({ verdict: 'pass', reason: '' });
});

test('does not take an invariant that held for a pass when no check of the clause was exercised', () => {
  const [held, own] = [result('invariant', 'VER-2', 'pass'), result('own', 'VER-2', 'not-exercised')];
  expect(verdictOf('VER-2', held, own)).toMatchObject({ verdict: 'not-exercised', reason: 'not-exercised' });
  expect(verdictOf('VER-2', held, result('own', 'VER-2', 'pass'))).toMatchObject({ verdict: 'pass' });
  expect(verdictOf('ERR-2', result('invariant', 'ERR-2', 'pass'))).toMatchObject({ verdict: 'pass' });
});

test('takes of several invariants only the strongest for a pass of a clause without checks', () => {
  const among = { invariants: new Set(['strong', 'weak']), keys: circumstances.keys };
  const weak: CheckResult = { ...result('weak', 'ERR-1', 'pass'), level: 'implied' };
  const clause = (verdict: Verdict) =>
    clauseResults([weak, result('strong', 'ERR-1', verdict)], among).find(({ id }) => id === 'ERR-1');
  expect(clause('not-exercised')).toMatchObject({ verdict: 'not-exercised', reason: 'not-exercised' });
  expect(clause('pass')).toMatchObject({ verdict: 'pass' });
});

test('counts a violated invariant whatever the checks of the clause say', () => {
  const [broken, own] = [result('invariant', 'VER-2', 'fail'), result('own', 'VER-2', 'not-exercised')];
  expect(verdictOf('VER-2', broken, own)).toMatchObject({ verdict: 'fail' });
});

test('passes no clause that needs a second key when there is none', () => {
  expect(verdictOf('MOD-2', result('own', 'MOD-2', 'pass'))).toMatchObject({
    verdict: 'not-exercised',
    reason: 'only half of it was seen: set CHAT_SECOND_API_KEY',
  });
});
