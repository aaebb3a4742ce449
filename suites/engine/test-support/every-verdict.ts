import type { CheckResult, Summary, Verdict } from '../model/summary.ts';
import { WEIGHTIEST_FIRST } from '../summary/clause-results.ts';
import { TROUBLED } from './summary.ts';

/** What a target may write to break out of each form: markup, workflow commands, control characters, half characters. */
export const HOSTILE =
  'a]]>b<script>alert(1)</script>&amp;&nbsp;&#0;"\'`|``|\n::error::x\r\n# h\u0000\u001b[31m\u202e\ud800\ufffe%0A@all';

function resultOf(verdict: Verdict): CheckResult {
  const isFailed = verdict === 'fail' || verdict === 'warn';
  return {
    ...failed(),
    id: `check-of-${verdict}`,
    verdict,
    reason: verdict === 'pass' ? '' : `it is ${verdict}: ${HOSTILE}`,
    ...(!isFailed && { failures: [], evidence: [] }),
  };
}

/** The failure of a troubled run, with an answer that tries to break out. */
function failed(): CheckResult {
  const [result] = TROUBLED.checks;
  if (result === undefined) throw new Error('a troubled run has a failure');
  const evidence = result.evidence.map((each) => ({
    ...each,
    exchange: { ...each.exchange, answer: { status: 200, headers: { 'x-h': HOSTILE }, body: HOSTILE } },
  }));
  return { ...result, evidence };
}

/** A run with a check of each verdict, and one that fails as a baseline says, of a target that writes what breaks things. */
export const EVERY_VERDICT: Summary = {
  ...TROUBLED,
  target: { ...TROUBLED.target, profile: HOSTILE },
  checks: [
    ...WEIGHTIEST_FIRST.map(resultOf),
    { ...resultOf('fail'), id: 'check-of-known', known: [`known: ${HOSTILE}`] },
  ],
  clauses: TROUBLED.clauses.map((clause) => ({
    ...clause,
    checks: clause.checks.map(() => 'check-of-fail'),
  })),
  cutShort: [HOSTILE],
  baseline: { problems: [`out of date: ${HOSTILE}`] },
  failedOn: ['Failed on warn: check-of-warn'],
};
