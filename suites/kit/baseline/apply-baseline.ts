import { outcomeOf } from '../running/outcome-of.ts';
import type { CheckResult, Summary, FailureKind } from '../model/summary.ts';
import { triedOf } from '../reporting/display-verdict.ts';

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

const LONGEST_REASON = 300;

/**
 * What a baseline would have to list for the run not to fail. Entries of `before` stay as they are, reason and date,
 * unless the run shows that they list nothing any more.
 */
export function makeBaseline({ checks }: Summary, before: readonly KnownFailure[]): readonly KnownFailure[] {
  const kept = before.filter((entry) => !isOver(entry, checks));
  const added = checks.filter(failedOrWarned).flatMap((result) => {
    const news = result.failures.filter((kind) => !kept.some((entry) => lists(entry, result.id, kind)));
    return news.map((kind) => entryFor(result, kind));
  });
  return [...kept, ...added];
}

/** The text of the file. */
export function baselineText(known: readonly KnownFailure[]): string {
  return `${JSON.stringify({ format: 'chat-conformance/baseline', version: 1, known }, undefined, 2)}\n`;
}

function isOver(entry: KnownFailure, checks: readonly CheckResult[]): boolean {
  const result = checks.find(({ id }) => id === entry.check);
  return result !== undefined && isFixed(entry, result);
}

function entryFor(result: CheckResult, { code, path }: FailureKind): KnownFailure {
  const failure = { code, ...(path !== undefined && { path }) };
  return { check: result.id, failure, reason: `to be explained: ${whatCame(result, failure)}` };
}

function whatCame({ evidence, reason }: CheckResult, { code, path }: Omit<FailureKind, 'trials'>): string {
  const shown = evidence.find(({ finding }) => finding.code === code && finding.path === path)?.finding;
  const text = shown === undefined ? reason : `expected ${shown.expected}; came ${shown.actual}`;
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
}

/** A failure that is known and does not fail a run. */
export interface KnownFailure {
  readonly check: string;
  /** One of the check's clauses, for people. */
  readonly clause?: string;
  /** Which of the check's failures; absent, whichever. Without a path, of this code at any path. */
  readonly failure?: Pick<FailureKind, 'code' | 'path'>;
  readonly reason: string;
  /** The last day, in UTC, on which it does not fail a run: `2027-01-31`. */
  readonly until?: string;
}

/** Whether an entry lists one way in which a check failed. */
function lists({ check, failure }: KnownFailure, id: string, kind: FailureKind): boolean {
  if (check !== id) return false;
  if (failure === undefined) return true;
  return failure.code === kind.code && (failure.path === undefined || failure.path === kind.path);
}

/**
 * Whether a check that was judged shows that an entry lists nothing any more. Where only a part of its inputs was tried,
 * the failure may be one that another seed comes to.
 */
function isFixed(entry: KnownFailure, { id, verdict, failures, inputs }: CheckResult): boolean {
  return inputs === undefined && didNotOccur(entry, { id, verdict, failures });
}

/** Whether a check that was judged did not fail as an entry says. */
function didNotOccur(
  entry: KnownFailure,
  { id, verdict, failures }: Pick<CheckResult, 'id' | 'verdict' | 'failures'>,
): boolean {
  if (verdict === 'pass' || verdict === 'observed') return true;
  return failedOrWarned({ verdict }) && !failures.some((kind) => lists(entry, id, kind));
}

/** Only what the target did can be known: an `error` is ours, and never hidden. */
function failedOrWarned({ verdict }: Pick<CheckResult, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'warn';
}
