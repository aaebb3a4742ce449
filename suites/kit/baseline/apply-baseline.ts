import { outcomeOf } from '../running/outcome-of.ts';
import type { CheckResult, Summary } from '../model/summary.ts';
import { triedOf } from '../reporting/terminal/report-inputs.ts';
import { failedOrWarned, didNotOccur, type KnownFailure, lists } from './baseline.ts';

/**
 * Marks what is known, and says where the baseline is out of date. A check is known only when every way in which it
 * failed is listed. `today` is a day in UTC: `2026-01-31`.
 */
export function applyBaseline(summary: Summary, listed: readonly KnownFailure[], today: string): Summary {
  const valid = listed.filter((entry) => !isExpired(entry, today));
  const checks = summary.checks.map((result) => withReasons(result, valid));
  const beside = checks.map(
    ({ verdict, known }) => ({ verdict: known === undefined ? verdict : 'warn' }) as const,
  );
  const outcome = outcomeOf(beside, summary.cutShort, summary.uncertain);
  const problems = listed.flatMap((entry) => problemWith(entry, summary.checks, today) ?? []);
  const warnings = [...summary.warnings, ...listed.flatMap((entry) => unseenOf(entry, summary.checks) ?? [])];
  return { ...summary, checks, warnings, baseline: { outcome, problems } };
}

/** Why nothing is said of an entry that did not show: another seed may come to it. */
function unseenOf(entry: KnownFailure, results: readonly CheckResult[]): string | undefined {
  const result = results.find(({ id }) => id === entry.check);
  if (result?.inputs === undefined || !didNotOccur(entry, result)) return undefined;
  return `${nameOf(entry)} is known, and did not show in the ${triedOf(result)} inputs that were tried`;
}

function isExpired({ until }: KnownFailure, today: string): boolean {
  return until !== undefined && until < today;
}

function withReasons(result: CheckResult, valid: readonly KnownFailure[]): CheckResult {
  if (!failedOrWarned(result) || result.failures.length === 0) return result;
  const listing = result.failures.map((kind) => valid.filter((entry) => lists(entry, result.id, kind)));
  if (listing.some((entries) => entries.length === 0)) return result;
  return { ...result, known: [...new Set(listing.flat().map(({ reason }) => reason))] };
}

/** Why an entry fails the run. What was not selected, or could not be judged, says nothing about its entries. */
function problemWith(
  entry: KnownFailure,
  results: readonly CheckResult[],
  today: string,
): string | undefined {
  const result = results.find(({ id }) => id === entry.check);
  if (result === undefined) return undefined;
  const name = nameOf(entry);
  if (result.inputs !== undefined && didNotOccur(entry, result)) return undefined;
  switch (result.verdict) {
    case 'error':
    case 'inconclusive':
      return undefined;
    case 'pass':
    case 'observed':
      return `${name} does not fail any more: remove it`;
    case 'not-exercised':
      return `${name} was not exercised, so nothing shows that it still fails (${result.reason}): let it be exercised, or leave it out with --skip`;
    case 'fail':
    case 'warn':
      return problemAmongFailures(entry, result, today);
  }
}

function problemAmongFailures(entry: KnownFailure, result: CheckResult, today: string): string | undefined {
  const name = nameOf(entry);
  if (!result.failures.some((kind) => lists(entry, result.id, kind)))
    return `${name} does not fail like this any more: remove it`;
  return isExpired(entry, today) ? `${name} was accepted until ${entry.until}` : undefined;
}

function nameOf({ check, failure }: KnownFailure): string {
  if (failure === undefined) return check;
  const { code, path } = failure;
  return `${check} (${code}${path === undefined ? '' : ` at ${path}`})`;
}
