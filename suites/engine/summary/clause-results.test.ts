import { expect, test } from 'vitest';
import { BOUND_TO_CALLER } from '../../../fixtures/clauses/clause.ts';
import { type ClauseId, CLAUSES, clauseIds, type Level } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Verdict } from '../model/summary.ts';
import { clauseResults } from './clause-results.ts';

function result(id: string, clause: ClauseId, verdict: Verdict, level: Level = 'stated'): CheckResult {
  const reason = verdict === 'pass' ? '' : verdict;
  const said = { id, clauses: [clause], level, title: 't', verdict, reason };
  return { ...said, exchanges: 1, failures: [], evidence: [] };
}

const INVARIANT_IDS = new Set(['invariant', 'strong', 'weak']);

function verdictOf(clause: ClauseId, ...results: readonly CheckResult[]) {
  return clauseResults(results, INVARIANT_IDS).find(({ id }) => id === clause);
}

/** As `id:verdict`, or `id:verdict:level`. */
function written(clause: ClauseId, results: string): readonly CheckResult[] {
  return results.split(' ').map((each) => {
    const [id, verdict, level] = each.split(':') as [string, Verdict, Level?];
    return result(id, clause, verdict, level);
  });
}

// IDEM-3 has no checks, so that invariants may carry it.
test.each<[ClauseId, string, Verdict]>([
  ['STR-1', 'a:pass b:fail', 'fail'],
  ['STR-1', 'a:pass', 'pass'],
  ['RES-1', 'invariant:pass own:not-exercised', 'not-exercised'],
  ['RES-1', 'invariant:pass own:pass', 'pass'],
  ['RES-1', 'invariant:fail own:not-exercised', 'fail'],
  ['RES-1', 'invariant:warn own:pass', 'warn'],
  ['RES-1', 'invariant:inconclusive own:observed', 'observed'],
  ['RES-5', 'a:pass', 'pass'],
  ['IDEM-3', 'invariant:pass', 'pass'],
  ['IDEM-3', 'invariant:pass:open', 'pass'],
  ['IDEM-3', 'weak:pass:implied strong:not-exercised', 'not-exercised'],
  ['IDEM-3', 'weak:inconclusive:implied strong:pass:stated', 'pass'],
  ['IDEM-3', 'weak:pass:implied strong:inconclusive:stated', 'inconclusive'],
  ['IDEM-3', 'weak:pass:convention strong:inconclusive:implied', 'inconclusive'],
  ['IDEM-3', 'weak:pass:open strong:inconclusive:convention', 'inconclusive'],
])('takes for the verdict of %s, given %s, %s', (clause, results, verdict) => {
  const all = written(clause, results);
  expect(verdictOf(clause, ...all)).toMatchObject({ verdict, checks: all.map(({ id }) => id) });
});

test('names what a cap left out, what most checks say, or every way where a check needs the control API', () => {
  const unmet = (id: string, reason: string): CheckResult => ({
    ...result(id, 'ERR-5', 'not-exercised'),
    reason,
  });
  const armed = unmet('armed', 'needs --control-url');
  const burst = unmet('burst', '17 simultaneous requests hit no rate limit');
  const both = 'needs --control-url, since 17 simultaneous requests hit no rate limit';
  expect(verdictOf('ERR-5', armed, burst)?.reason).toBe(both);
  expect(verdictOf('ERR-5', burst, armed)?.reason).toBe(both);
  expect(verdictOf('ERR-5', burst, unmet('other', 'no answer'))?.reason).toBe(burst.reason);
  const cap = 'not sent: the cap of 20 requests was reached';
  expect(verdictOf('ERR-5', armed, burst, unmet('other', cap))?.reason).toBe(cap);
  expect(verdictOf('ERR-5', burst, unmet('one', 'no answer'), unmet('other', 'no answer'))?.reason).toBe(
    'no answer',
  );
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

const [INPUT, OUTPUT] = seenBut('ERR-4');
if (!INPUT || !OUTPUT) throw new Error('two duties');
const IDLE = deciding('refuses too large an input', 'ERR-4', 'not-exercised');
const inAddress = (verdict: Verdict) => deciding('refuses a key in the address', 'AUTH-1', verdict);
const TWO_UNSEEN = seenBut('VER-2', { completes: 'not-exercised', streams: 'not-exercised' });

test.each<[Verdict, string, ClauseId, readonly CheckResult[]]>([
  ['pass', 'all seen', 'VER-2', [...written('VER-2', 'other:not-exercised'), ...seenBut('VER-2')]],
  ['fail', 'a broken check beside', 'VER-2', [...TWO_UNSEEN, ...written('VER-2', 'other:fail')]],
  ['not-exercised', 'no check that decides one', 'VER-2', written('VER-2', 'other:pass')],
  ['pass', 'one of its two checks', 'ERR-4', [IDLE, { ...INPUT, id: 'other' }, OUTPUT]],
  ['inconclusive', 'an invariant beside its check', 'ERR-4', [IDLE, { ...INPUT, id: 'invariant' }, OUTPUT]],
  ['pass', 'an invariant alone', 'ERR-4', [{ ...INPUT, id: 'invariant' }, OUTPUT]],
  ['pass', 'a further one unseen', 'AUTH-1', [...seenBut('AUTH-1'), inAddress('not-exercised')]],
  ['fail', 'a further one broken', 'AUTH-1', [...seenBut('AUTH-1'), inAddress('fail')]],
])('judges by its duties %s: %s, of %s', (verdict, _, clause, results) => {
  expect(verdictOf(clause, ...results)?.verdict).toBe(verdict);
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

test('says of a duty that no selected check decides it', () => {
  const missing = [{ duty: 'refuses too much requested output', reason: 'no selected check decides it' }];
  expect(verdictOf('ERR-4', INPUT)).toMatchObject({ verdict: 'inconclusive', missing });
});

test('takes the verdict of each duty, not that of the check, where a check decides several', () => {
  const unseen = { duty: 'with stream false', reason: 'a broken connection' };
  const duties: CheckResult['duties'] = [
    { duty: 'without stream', verdict: 'pass', reason: '' },
    { ...unseen, verdict: 'inconclusive' },
  ];
  expect(verdictOf('REQ-7', { ...result('check', 'REQ-7', 'pass'), duties })?.missing).toEqual([unseen]);
});

test('gives the heavier of two verdicts to a clause, in whatever order they come', () => {
  const order = ['fail', 'error', 'warn', 'pass', 'observed', 'inconclusive', 'not-exercised'] as const;
  for (const [i, lighter] of order.entries()) {
    const heavier = order[i - 1] ?? lighter;
    for (const results of [`a:${heavier} b:${lighter}`, `a:${lighter} b:${heavier}`])
      expect(verdictOf('STR-1', ...written('STR-1', results))?.verdict).toBe(heavier);
  }
});

test('gives every clause a result, and says why one has no check', () => {
  expect(clauseResults([], INVARIANT_IDS)).toHaveLength(clauseIds().length);
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
