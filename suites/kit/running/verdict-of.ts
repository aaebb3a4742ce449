import type { Level } from '../../../fixtures/clauses/clauses.ts';
import type { Profile } from '../model/profile.ts';
import type { Finding } from '../model/ruling.ts';
import { type Drift, driftsOf, isPinned } from './drifts.ts';
import type { Tally } from '../model/tally.ts';
import type { Verdict } from '../model/verdict.ts';

export interface VerdictWithReason {
  readonly verdict: Verdict;
  /** Empty only for `pass`. */
  readonly reason: string;
  readonly hint?: string;
}

/** What a tally amounts to for a check of this level. */
export function verdictOf(tally: Tally, level: Level, profile: Profile): VerdictWithReason {
  if (tally.broken !== undefined) return { verdict: 'error', reason: `a failure of ours: ${tally.broken}` };
  const [failure] = tally.failures;
  if (failure !== undefined) return failed(failure.finding, tally, level);
  const [drift] = driftsOf(tally.observations, profile);
  if (drift !== undefined) return { verdict: 'fail', reason: drifted(drift) };
  if (tally.held > 0 || tally.observations.some(({ point }) => isPinned(point, profile)))
    return { verdict: 'pass', reason: '' };
  if (tally.observations.length > 0)
    return { verdict: 'observed', reason: 'the specification leaves it open' };
  if (tally.inconclusive !== undefined) return { verdict: 'inconclusive', reason: tally.inconclusive };
  const { reason, hint } = tally.notExercised ?? { reason: 'nothing that came bears on it' };
  return { verdict: 'not-exercised', reason, ...(hint !== undefined && { hint }) };
}

function failed(finding: Finding, tally: Tally, level: Level): VerdictWithReason {
  if (level === 'open') return { verdict: 'error', reason: 'a failure of ours: an open point was asserted' };
  const count = `${tally.failures.length} of ${tally.failures.length + tally.held} trials`;
  const reason = `expected ${finding.expected}; came ${finding.actual} (${count})`;
  return { verdict: level === 'convention' ? 'warn' : 'fail', reason };
}

function drifted({ point, pinned, finding }: Drift): string {
  return `the profile pins ${point} to ${JSON.stringify(pinned)}; came ${finding.actual}`;
}
