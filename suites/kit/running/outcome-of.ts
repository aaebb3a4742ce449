import type { Summary } from '../model/summary.ts';
import type { RunOutcome } from '../model/verdict.ts';

/** What a run amounts to: what failed counts first, then whatever keeps it from saying all it might. */
export function outcomeOf(
  checks: readonly Pick<Summary['checks'][number], 'verdict'>[],
  cutShort: readonly string[],
  uncertain: readonly unknown[],
): RunOutcome {
  const some = (...verdicts: readonly string[]): boolean =>
    checks.some(({ verdict }) => verdicts.includes(verdict));
  if (some('fail')) return 'violations';
  const nothing = !some('pass', 'warn', 'observed');
  return cutShort.length > 0 || uncertain.length > 0 || some('error') || nothing
    ? 'incomplete'
    : 'conformant';
}
