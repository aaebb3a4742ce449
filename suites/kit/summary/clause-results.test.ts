import { expect, test } from 'vitest';
import { BOUND_TO_CALLER } from '../../../fixtures/clauses/clause.ts';
import { type ClauseId, clauseIds } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Verdict } from '../model/summary.ts';
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
    failures: [],
    evidence: [],
  };
}

const circumstances = { invariants: new Set(['invariant']), keys: new Set(['primary'] as const) };

function verdictOf(clause: ClauseId, ...results: readonly CheckResult[]) {
  return clauseResults(results, circumstances).find(({ id }) => id === clause);
}

test('takes the gravest verdict of the checks of a clause', () => {
  const [pass, fail] = [result('a', 'VER-1', 'pass'), result('b', 'VER-1', 'fail')];
  expect(verdictOf('VER-1', pass, fail)).toMatchObject({ verdict: 'fail', checks: ['a', 'b'] });
  expect(verdictOf('VER-1', pass)).toMatchObject({ verdict: 'pass', reason: '' });
});

test('does not take an invariant that held for a pass when no check of the clause was exercised', () => {
  const [held, own] = [result('invariant', 'REQ-7', 'pass'), result('own', 'REQ-7', 'not-exercised')];
  expect(verdictOf('REQ-7', held, own)).toMatchObject({ verdict: 'not-exercised', reason: 'not-exercised' });
  expect(verdictOf('REQ-7', held, result('own', 'REQ-7', 'pass'))).toMatchObject({ verdict: 'pass' });
  expect(verdictOf('ERR-2', result('invariant', 'ERR-2', 'pass'))).toMatchObject({ verdict: 'pass' });
});

test('names every way to a clause that a check with the control API, or one without, would exercise', () => {
  const unmet = (id: string, reason: string): CheckResult => ({
    ...result(id, 'ERR-5', 'not-exercised'),
    reason,
  });
  const armed = unmet('armed', 'needs --control-url');
  const burst = unmet('burst', '17 requests at once met no rate limit');
  const both = 'needs --control-url, or: 17 requests at once met no rate limit';
  expect(verdictOf('ERR-5', armed, burst)?.reason).toBe(both);
  expect(verdictOf('ERR-5', burst, armed)?.reason).toBe(both);
  expect(verdictOf('ERR-5', armed)?.reason).toBe('needs --control-url');
  expect(verdictOf('ERR-5', burst, unmet('other', 'no answer'))?.reason).toBe(burst.reason);
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
  const [broken, own] = [result('invariant', 'REQ-7', 'fail'), result('own', 'REQ-7', 'not-exercised')];
  expect(verdictOf('REQ-7', broken, own)).toMatchObject({ verdict: 'fail' });
});

test('passes AUTH-1 only where a missing key and a wrong one are both seen to be refused', () => {
  const wrong = result('wrong-key-refused', 'AUTH-1', 'pass');
  const missing = (verdict: Verdict) => result('missing-key-refused', 'AUTH-1', verdict);
  expect(verdictOf('AUTH-1', wrong, missing('pass'))).toMatchObject({ verdict: 'pass' });
  expect(verdictOf('AUTH-1', wrong, missing('inconclusive'))).toMatchObject({
    verdict: 'inconclusive',
    reason: 'only part of it was tested: inconclusive',
  });
});

test('passes no clause that needs a second key without one', () => {
  expect(verdictOf('MOD-2', result('own', 'MOD-2', 'pass'))).toMatchObject({
    verdict: 'not-exercised',
    reason: 'only partly tested: to test the rest, set CHAT_SECOND_API_KEY',
  });
});

test.each<[ClauseId, 'second' | 'unscoped', readonly string[]]>([
  ['MOD-2', 'second', ['listed-models-served', 'other-keys-models-refused']],
  ['AUTH-2', 'unscoped', ['own']],
])('passes %s given the key that it needs: %s', (clause, key, checks) => {
  const keys = new Set(['primary', key] as const);
  const held = checks.map((id) => result(id, clause, 'pass'));
  const results = clauseResults(held, { ...circumstances, keys });
  const passed = results.find(({ id }) => id === clause);
  expect(passed).toMatchObject({ verdict: 'pass', reason: '' });
});

test('passes no clause that needs an unscoped key without one, but can fail it', () => {
  expect(verdictOf('AUTH-2', result('own', 'AUTH-2', 'pass'))?.reason).toContain('CHAT_UNSCOPED_API_KEY');
  expect(verdictOf('AUTH-2', result('own', 'AUTH-2', 'fail'))).toMatchObject({
    verdict: 'fail',
    reason: 'fail',
  });
});

const HEAVIER: readonly Verdict[] = [
  'fail',
  'error',
  'warn',
  'pass',
  'observed',
  'inconclusive',
  'not-exercised',
];

test.each(HEAVIER.slice(1).map((lighter, i) => [HEAVIER[i] ?? lighter, lighter] as const))(
  'gives %s more weight than %s, in whatever order they come',
  (heavier, lighter) => {
    const [one, other] = [result('a', 'VER-1', heavier), result('b', 'VER-1', lighter)];
    expect(verdictOf('VER-1', one, other)?.verdict).toBe(heavier);
    expect(verdictOf('VER-1', other, one)?.verdict).toBe(heavier);
  },
);

test('gives every clause a result, and says why one has no check', () => {
  const results = clauseResults([], circumstances);
  expect(results).toHaveLength(clauseIds().length);
  expect(verdictOf('VER-1')).toEqual({
    id: 'VER-1',
    bound: 'service',
    level: 'stated',
    verdict: 'not-exercised',
    checks: [],
    reason: 'no selected check covers it',
  });
  expect(verdictOf('CALL-1')?.reason).toBe(BOUND_TO_CALLER);
});

test('counts what an invariant found beside a check of the clause that passed', () => {
  const [held, own] = [result('invariant', 'REQ-7', 'inconclusive'), result('own', 'REQ-7', 'observed')];
  expect(verdictOf('REQ-7', held, own)?.verdict).toBe('observed');
  const broken = result('invariant', 'REQ-7', 'warn');
  expect(verdictOf('REQ-7', broken, result('own', 'REQ-7', 'pass'))?.verdict).toBe('warn');
});

test.each([
  ['stated', 'implied'],
  ['implied', 'convention'],
  ['convention', 'open'],
] as const)(
  'lets an invariant that is %s carry a clause without checks before one that is %s',
  (...levels) => {
    const invariants = new Set(['strong', 'weak']);
    const clause = (...verdicts: readonly [Verdict, Verdict]) => {
      const [strong, weak] = [result('strong', 'ERR-2', verdicts[0]), result('weak', 'ERR-2', verdicts[1])];
      const results = [
        { ...weak, level: levels[1] },
        { ...strong, level: levels[0] },
      ];
      return clauseResults(results, { ...circumstances, invariants }).find(({ id }) => id === 'ERR-2')
        ?.verdict;
    };
    expect([clause('pass', 'inconclusive'), clause('inconclusive', 'pass')]).toEqual([
      'pass',
      'inconclusive',
    ]);
  },
);

test('lets even an open invariant carry a clause that has nothing else', () => {
  const open: CheckResult = { ...result('invariant', 'ERR-2', 'pass'), level: 'open' };
  expect(verdictOf('ERR-2', open)?.verdict).toBe('pass');
});

test('leaves checks of other clauses out of it', () => {
  expect(verdictOf('VER-1', result('a', 'REQ-7', 'fail'), result('b', 'VER-1', 'pass'))).toMatchObject({
    verdict: 'pass',
    checks: ['b'],
  });
});

test('passes a clause that needs no key, whatever else it needs', () => {
  expect(verdictOf('RES-5', result('a', 'RES-5', 'pass'))?.verdict).toBe('pass');
});

const PARTS = ['client-completes', 'client-streams'] as const;

test('passes a clause that has essential checks where each of them passed, whatever others say', () => {
  const [completes, streams] = PARTS.map((id) => result(id, 'VER-2', 'pass'));
  if (!completes || !streams) throw new Error('two parts');
  const other = result('client-lists-models', 'VER-2', 'not-exercised');
  expect(verdictOf('VER-2', other, completes, streams)).toMatchObject({ verdict: 'pass', reason: '' });
});

test.each(['observed', 'inconclusive', 'not-exercised'] as const)(
  'passes no clause of which an essential check is %s, and gives its reason',
  (verdict) => {
    const found = verdictOf(
      'VER-2',
      result('client-lists-models', 'VER-2', 'pass'),
      result('client-completes', 'VER-2', 'pass'),
      result('client-streams', 'VER-2', verdict),
    );
    expect(found).toMatchObject({ verdict, reason: `only part of it was tested: ${verdict}` });
  },
);

test('passes no clause of which an essential check was not selected', () => {
  expect(verdictOf('VER-2', result('client-completes', 'VER-2', 'pass'))).toMatchObject({
    verdict: 'not-exercised',
    reason: 'only part of it was tested: client-streams was not selected',
  });
});

test('fails a clause for whichever of its checks, essential ones unseen or not', () => {
  const unseen = PARTS.map((id) => result(id, 'VER-2', 'not-exercised'));
  expect(verdictOf('VER-2', ...unseen, result('other', 'VER-2', 'fail'))?.verdict).toBe('fail');
});
