import type { CheckResult, FailureKind, Summary } from '../model/summary.ts';
import { failedOrWarned, type KnownFailure, lists, isFixed } from './baseline.ts';

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
