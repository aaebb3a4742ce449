import { expect, test } from 'vitest';
import { BOUND_TO_CALLER } from '../../../fixtures/clauses/clause.ts';
import { type ClauseId, CLAUSES, clauseIds } from '../../../fixtures/clauses/clauses.ts';
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
  const [pass, fail] = [result('a', 'STR-1', 'pass'), result('b', 'STR-1', 'fail')];
  expect(verdictOf('STR-1', pass, fail)).toMatchObject({ verdict: 'fail', checks: ['a', 'b'] });
  expect(verdictOf('STR-1', pass)).toMatchObject({ verdict: 'pass', reason: '' });
});

test('does not take an invariant that held for a pass when no check of the clause was exercised', () => {
  const [held, own] = [result('invariant', 'RES-1', 'pass'), result('own', 'RES-1', 'not-exercised')];
  expect(verdictOf('RES-1', held, own)).toMatchObject({ verdict: 'not-exercised', reason: 'not-exercised' });
  expect(verdictOf('RES-1', held, result('own', 'RES-1', 'pass'))).toMatchObject({ verdict: 'pass' });
  expect(verdictOf('IDEM-3', result('invariant', 'IDEM-3', 'pass'))).toMatchObject({ verdict: 'pass' });
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
  expect(verdictOf('ERR-5', burst, unmet('other', burst.reason))?.reason).toBe(burst.reason);
});

test('takes of several invariants only the strongest for a pass of a clause without checks', () => {
  const among = { invariants: new Set(['strong', 'weak']), keys: circumstances.keys };
  const weak: CheckResult = { ...result('weak', 'IDEM-3', 'pass'), level: 'implied' };
  const clause = (verdict: Verdict) =>
    clauseResults([weak, result('strong', 'IDEM-3', verdict)], among).find(({ id }) => id === 'IDEM-3');
  expect(clause('not-exercised')).toMatchObject({ verdict: 'not-exercised', reason: 'not-exercised' });
  expect(clause('pass')).toMatchObject({ verdict: 'pass' });
});

test('counts a violated invariant whatever the checks of the clause say', () => {
  const [broken, own] = [result('invariant', 'RES-1', 'fail'), result('own', 'RES-1', 'not-exercised')];
  expect(verdictOf('RES-1', broken, own)).toMatchObject({ verdict: 'fail' });
});

/** A check that decides one duty of a clause. */
function deciding(duty: string, clause: ClauseId, verdict: Verdict): CheckResult {
  const of = result(duty.replaceAll(' ', '-'), clause, verdict);
  return { ...of, duties: [{ duty, verdict, reason: of.reason }] };
}

/** Checks that saw each duty of a clause hold, but for these. */
function seenBut(clause: ClauseId, others: Readonly<Record<string, Verdict>> = {}): readonly CheckResult[] {
  return (CLAUSES[clause].duties ?? []).map((duty) => deciding(duty, clause, others[duty] ?? 'pass'));
}

test('passes a clause whose every duty was seen to hold, whatever checks that decide none say', () => {
  const other = result('other', 'VER-2', 'not-exercised');
  expect(verdictOf('VER-2', other, ...seenBut('VER-2'))).toMatchObject({ verdict: 'pass', reason: '' });
});

test.each(['observed', 'inconclusive', 'not-exercised'] as const)(
  'passes a clause in part of which a duty is %s, and names it with the reason',
  (verdict) => {
    expect(verdictOf('VER-2', ...seenBut('VER-2', { streams: verdict }))).toMatchObject({
      verdict: 'inconclusive',
      reason: `passed in part, without: streams (${verdict})`,
      missing: [{ duty: 'streams', reason: verdict }],
    });
  },
);

test('passes a clause in part of which no selected check decides a duty', () => {
  const [first] = seenBut('ERR-4');
  expect(verdictOf('ERR-4', ...(first ? [first] : []))).toMatchObject({
    verdict: 'inconclusive',
    missing: [{ duty: 'refuses too much requested output', reason: 'no selected check decides it' }],
  });
});

test('takes no duty for seen because a check passed that does not decide it', () => {
  expect(verdictOf('VER-2', result('other', 'VER-2', 'pass'))).toMatchObject({
    verdict: 'not-exercised',
    reason: 'no selected check decides it',
  });
});

test('takes one of the checks that decide a duty for enough, and an invariant only where there is none', () => {
  const [input, output] = seenBut('ERR-4');
  if (!input || !output) throw new Error('two duties');
  const idle = deciding('refuses too large an input', 'ERR-4', 'not-exercised');
  expect(verdictOf('ERR-4', idle, { ...input, id: 'other' }, output)?.verdict).toBe('pass');
  expect(verdictOf('ERR-4', idle, { ...input, id: 'invariant' }, output)?.verdict).toBe('inconclusive');
  expect(verdictOf('ERR-4', { ...input, id: 'invariant' }, output)?.verdict).toBe('pass');
});

test('takes the verdict of each duty, not that of the check, where a check decides several', () => {
  const check: CheckResult = {
    ...result('check', 'REQ-7', 'pass'),
    duties: [
      { duty: 'without stream', verdict: 'pass', reason: '' },
      { duty: 'with stream false', verdict: 'inconclusive', reason: 'a broken connection' },
    ],
  };
  expect(verdictOf('REQ-7', check)?.missing).toEqual([
    { duty: 'with stream false', reason: 'a broken connection' },
  ]);
});

test('passes a clause without its further duties, and fails it for each of them', () => {
  const further = (verdict: Verdict) => deciding('refuses a key in the address', 'AUTH-1', verdict);
  expect(verdictOf('AUTH-1', ...seenBut('AUTH-1'), further('not-exercised'))?.verdict).toBe('pass');
  expect(verdictOf('AUTH-1', ...seenBut('AUTH-1'), further('fail'))?.verdict).toBe('fail');
});

test('fails a clause for whichever of its checks, duties unseen or not', () => {
  const unseen = seenBut('VER-2', { completes: 'not-exercised', streams: 'not-exercised' });
  expect(verdictOf('VER-2', ...unseen, result('other', 'VER-2', 'fail'))?.verdict).toBe('fail');
});

test.each<[ClauseId, 'second' | 'unscoped', string]>([
  ['MOD-2', 'second', 'CHAT_SECOND_API_KEY'],
  ['AUTH-2', 'unscoped', 'CHAT_UNSCOPED_API_KEY'],
])('passes %s only given the key that it needs: %s', (clause, key, variable) => {
  const keys = new Set(['primary', key] as const);
  const withKey = clauseResults(seenBut(clause), { ...circumstances, keys });
  expect(withKey.find(({ id }) => id === clause)).toMatchObject({ verdict: 'pass', reason: '' });
  expect(verdictOf(clause, ...seenBut(clause))).toMatchObject({
    verdict: 'not-exercised',
    reason: `only partly tested: to test the rest, set ${variable}`,
  });
  expect(verdictOf(clause, result('own', clause, 'fail'))).toMatchObject({ verdict: 'fail', reason: 'fail' });
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
    const [one, other] = [result('a', 'STR-1', heavier), result('b', 'STR-1', lighter)];
    expect(verdictOf('STR-1', one, other)?.verdict).toBe(heavier);
    expect(verdictOf('STR-1', other, one)?.verdict).toBe(heavier);
  },
);

test('gives every clause a result, and says why one has no check', () => {
  const results = clauseResults([], circumstances);
  expect(results).toHaveLength(clauseIds().length);
  expect(verdictOf('STR-1')).toEqual({
    id: 'STR-1',
    bound: 'service',
    level: 'stated',
    verdict: 'not-exercised',
    checks: [],
    reason: 'no selected check covers it',
  });
  expect(verdictOf('CALL-1')?.reason).toBe(BOUND_TO_CALLER);
});

test('counts what an invariant found beside a check of the clause that passed', () => {
  const [held, own] = [result('invariant', 'RES-1', 'inconclusive'), result('own', 'RES-1', 'observed')];
  expect(verdictOf('RES-1', held, own)?.verdict).toBe('observed');
  const broken = result('invariant', 'RES-1', 'warn');
  expect(verdictOf('RES-1', broken, result('own', 'RES-1', 'pass'))?.verdict).toBe('warn');
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
      const [strong, weak] = [result('strong', 'IDEM-3', verdicts[0]), result('weak', 'IDEM-3', verdicts[1])];
      const results = [
        { ...weak, level: levels[1] },
        { ...strong, level: levels[0] },
      ];
      return clauseResults(results, { ...circumstances, invariants }).find(({ id }) => id === 'IDEM-3')
        ?.verdict;
    };
    expect([clause('pass', 'inconclusive'), clause('inconclusive', 'pass')]).toEqual([
      'pass',
      'inconclusive',
    ]);
  },
);

test('lets even an open invariant carry a clause that has nothing else', () => {
  const open: CheckResult = { ...result('invariant', 'IDEM-3', 'pass'), level: 'open' };
  expect(verdictOf('IDEM-3', open)?.verdict).toBe('pass');
});

test('leaves checks of other clauses out of it', () => {
  expect(verdictOf('STR-1', result('a', 'RES-1', 'fail'), result('b', 'STR-1', 'pass'))).toMatchObject({
    verdict: 'pass',
    checks: ['b'],
  });
});

test('passes a clause that needs no key, whatever else it needs', () => {
  expect(verdictOf('RES-5', result('a', 'RES-5', 'pass'))?.verdict).toBe('pass');
});
