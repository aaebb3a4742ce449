import type { KnownFailure } from '../model/entry-schema.ts';
import { isSameFailure, type Kind, kindOf } from '../model/ruling.ts';
import { isExpired, type KnownFailures } from '../model/run.ts';
import type { CheckResult, Summary } from '../model/summary.ts';
import { triedInputs } from '../reports/display-verdict.ts';
import { namesCap } from '../summary/limits.ts';
import { outcomeOf } from '../summary/summarise.ts';

/**
 * Marks known failures, which do not decide the outcome, and names the entries that are out of date, which do. A check is known only when every way in which it
 * failed is listed. The day on which the run began decides what has expired, so that its journal says the same later.
 */
export function applyBaseline(summary: Summary, baseline: readonly KnownFailure[] | undefined): Summary {
  if (baseline === undefined || summary.notBegun !== undefined) return summary;
  const valid = baseline.filter((entry) => !isExpired(entry, summary.startedAt));
  const checks = summary.checks.map((result) => withKnownReasons(result, valid));
  const verdictsBeside = checks.map(
    ({ verdict, known }) => ({ verdict: known === undefined ? verdict : 'warn' }) as const,
  );
  const findings = baseline.map((entry) => findingOn(entry, summary));
  const problems = [...new Set(findings.flatMap(({ problem }) => problem ?? []))];
  const outcome =
    problems.length > 0 ? 'violations' : outcomeOf(verdictsBeside, summary.cutShort, summary.uncertain);
  const warnings = [...summary.warnings, ...findings.flatMap(({ warning }) => warning ?? [])];
  return { ...summary, outcome, checks, warnings, baseline: { problems } };
}

function withKnownReasons(result: CheckResult, valid: readonly KnownFailure[]): CheckResult {
  const { id, failures } = result;
  const listing = failures.map((kind) => valid.filter((entry) => lists(entry, id, kind)));
  const isKnown = listing.length > 0 && listing.every((entries) => entries.length > 0);
  if (!isKnown || !failedOrWarned(result)) return result;
  return { ...result, known: [...new Set(listing.flat().map(({ reason }) => reason))] };
}

type Outdated = { readonly [K in 'problem' | 'warning']?: string };

/** Why an entry fails the run, or may be out of date. Those of checks that were not selected or not judged are ignored. */
function findingOn(entry: KnownFailure, { checks, cutShort, startedAt }: Summary): Outdated {
  const result = checks.find(({ id }) => id === entry.check);
  if (result === undefined) return {};
  const name = nameOf(entry);
  if (didNotOccur(entry, result)) {
    const inThisWay = failedOrWarned(result) ? ' in this way' : '';
    if (result.inputs === undefined)
      return { problem: `${name} no longer fails${inThisWay}: remove it from the baseline` };
    // Another seed would try further inputs.
    const among = `the ${triedInputs(result)} inputs that were tried`;
    return { warning: `${name} is a known failure, but did not occur in ${among}` };
  }
  if (failedOrWarned(result))
    return isExpired(entry, startedAt) ? { problem: `${name} was accepted until ${entry.until}` } : {};
  const { verdict, reason } = result;
  // The end of the run says already what a cap left out.
  if (verdict !== 'not-exercised' || cutShort.length > 0 || namesCap(reason)) return {};
  return {
    problem: `${name} was not exercised (${reason}), so nothing shows that it still fails: exercise it, or leave it out with --skip`,
  };
}

function nameOf({ check, failure }: KnownFailure): string {
  if (failure === undefined) return check;
  const { code, path } = failure;
  return `${check} (${code}${path === undefined ? '' : ` at ${path}`})`;
}

/** The baseline of all failures. Entries of `before` keep their reason and date, unless shown to be fixed. */
export function makeBaseline({ checks }: Summary, before: readonly KnownFailure[]): readonly KnownFailure[] {
  const tried = checks.filter(({ inputs }) => inputs === undefined);
  const kept = before.filter(
    (entry) => !tried.some((result) => result.id === entry.check && didNotOccur(entry, result)),
  );
  const added = checks.filter(failedOrWarned).flatMap(({ id, failures, evidence, reason }) =>
    failures.map(kindOf).map((failure) => {
      const finding = evidence.find((each) => isSameFailure(each.finding, failure))?.finding;
      const text = finding === undefined ? reason : `expected ${finding.expected}; got ${finding.actual}`;
      const short = text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
      return { check: id, failure, reason: `to be explained: ${short}` };
    }),
  );
  const unlisted = ({ check, failure }: (typeof added)[number]): boolean =>
    !kept.some((entry) => lists(entry, check, failure));
  return [...kept, ...added.filter(unlisted)];
}

const LONGEST_REASON = 300;

export function baselineText(known: readonly KnownFailure[]): string {
  return `${JSON.stringify({ format: 'chat-conformance/baseline', version: 1, known }, undefined, 2)}\n`;
}

/** Whether an entry lists one way in which a check failed. */
function lists({ check, failure }: KnownFailure, id: string, kind: Kind): boolean {
  const { code = kind.code, path = kind.path } = failure ?? {};
  return check === id && code === kind.code && path === kind.path;
}

/** What is known on the day of this time, for the run that is about to begin. */
export function knownFailures(baseline: readonly KnownFailure[], today: string): KnownFailures {
  const valid = baseline.filter((entry) => !isExpired(entry, today));
  return {
    listed: baseline,
    checks: new Set(valid.map(({ check }) => check)),
    lists: (id, failure) => valid.some((entry) => lists(entry, id, failure)),
  };
}

/** Whether a check was judged and did not fail as an entry says. */
function didNotOccur(entry: KnownFailure, { id, verdict, failures }: CheckResult): boolean {
  if (verdict === 'pass' || verdict === 'observed') return true;
  return failedOrWarned({ verdict }) && !failures.some((kind) => lists(entry, id, kind));
}

/** Only failures of the target can be known: an `error` is ours, and never hidden. */
function failedOrWarned({ verdict }: Pick<CheckResult, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'warn';
}
