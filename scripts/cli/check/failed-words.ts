import type { Check } from '../../../suites/kit/model/check.ts';
import type { CheckResult } from '../../../suites/kit/model/summary.ts';
import type { Stricter } from '../options/check-flags.ts';

// Apart from what reads reports, which a watch need not load.

/** What a summary and a report both say of a check. */
export type Judged = Pick<CheckResult, 'id' | 'verdict' | 'known' | 'again'>;

/** Whether a run with these options fails on a check. */
function fails({ verdict, known }: Judged, failOn: readonly Stricter[]): boolean {
  if (known !== undefined) return false;
  return verdict === 'fail' || verdict === 'error' || (verdict === 'warn' && failOn.includes('warn'));
}

/**
 * The words that select what failed: the IDs of the checks and invariants, and for an invariant those of the checks that
 * send what broke it.
 */
export function failedWords(
  results: readonly Judged[],
  checks: readonly Check[],
  failOn: readonly Stricter[] = [],
): readonly string[] {
  const failed = results.filter((each) => fails(each, failOn));
  const kinds = new Set(
    failed.flatMap(({ again }) => /--send (\S+)/.exec(again ?? '')?.[1]?.split(',') ?? []),
  );
  const senders = checks.filter(({ given }) => kinds.has(given.name));
  return [...new Set([...failed, ...senders].map(({ id }) => id))];
}
