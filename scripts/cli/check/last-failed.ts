import { join } from 'node:path';
import type { Check } from '../../../suites/kit/model/check.ts';
import type { CheckResult } from '../../../suites/kit/model/summary.ts';
import type { CheckFlags, Stricter } from '../options/check-flags.ts';
import type { Catalogue } from '../options/select-checks.ts';
import { baseUrlOf } from '../options/target-options.ts';
import { type ReportHead, reportHead, recentRuns } from '../reports/run-folders.ts';
import { PORT } from '../service/fill-port.ts';

/**
 * What failed when each check was judged last against the same target, in the runs that were kept. `flags` still have
 * `{port}` in the base URL.
 */
export async function lastFailed(
  flags: CheckFlags,
  { checks, invariants }: Catalogue,
): Promise<readonly string[]> {
  // Heavy, and a watch without this option reads no report.
  const { readReport } = await import('../../../suites/kit/reporting/report-schema.ts');
  const latest = new Map<string, Judged>();
  for (const file of reportsOf(flags)) {
    for (const result of readReport(file).checks)
      if (!latest.has(result.id) && isDecided(result)) latest.set(result.id, result);
  }
  const words = failedWords([...latest.values()], checks, flags.failOn);
  // Another release may have left a report of a check that is gone.
  return words.filter((word) => [...checks, ...invariants].some(({ id }) => id === word));
}

function isDecided({ verdict }: Judged): boolean {
  return verdict !== 'not-exercised' && verdict !== 'inconclusive';
}

/** The reports of runs against this target, the latest first. */
function reportsOf({ report, baseUrl }: CheckFlags): readonly string[] {
  const folders = new Set([...(report === undefined ? [] : [report]), ...recentRuns()]);
  const found = [...folders].flatMap((folder) => {
    const file = join(folder, 'report.json');
    const head = reportHead(file);
    return head?.hasBegun === true && isSameTarget(head, baseUrl)
      ? [{ file, startedAt: head.startedAt }]
      : [];
  });
  return found.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1)).map(({ file }) => file);
}

/** Each start of a service on `{port}` has a port of its own. */
function isSameTarget({ baseUrl = '', kind }: ReportHead, wanted: string | undefined): boolean {
  if (wanted === undefined) return kind === 'mock';
  if (!wanted.includes(PORT)) return kind === 'live' && baseUrl === baseUrlOf(wanted);
  const [before = '', after = ''] = wanted.split(PORT);
  const isAround = baseUrl.startsWith(before) && baseUrl.endsWith(after);
  return isAround && /^\d+$/.test(baseUrl.slice(before.length, baseUrl.length - after.length));
}

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
