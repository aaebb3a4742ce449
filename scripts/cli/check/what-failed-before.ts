import { askedFor } from '../../../suites/kit/model/run.ts';
import type { CheckResult, Summary } from '../../../suites/kit/model/summary.ts';
import type { CheckFlags, Stricter } from '../options/check-flags.ts';
import { type Catalogue, selectChecks } from '../options/select-checks.ts';
import type { CheckOptions } from './check-options.ts';
import { fails, type Memory } from './memory.ts';

/** The options of a run that sends first what failed before. */
export function remembering(options: CheckOptions, memory: Memory): CheckOptions {
  const remembered = memory.failuresOf(new Set(askedFor(options.run).map(({ id }) => id)));
  return { ...options, run: { ...options.run, remembered } };
}

/** The flags of a run of nothing but what failed, among the checks that they select; undefined where nothing did. */
export function onlyFailed(flags: CheckFlags, all: Catalogue, memory: Memory): CheckFlags | undefined {
  const { only = [], skip = [] } = flags;
  const asked = askedFor(selectChecks(all, only, skip));
  const words = memory.wordsFor(new Set(asked.map(({ id }) => id)), all.checks);
  return words.length === 0
    ? undefined
    : { ...flags, given: flags.given ?? flags, only: words, lastFailed: true };
}

/** The summary of a run of nothing but what failed: where an input of that was not sent again, it has found out little. */
export function withLastFailed(
  summary: Summary,
  { lastFailed, run: { remembered = [] } }: Pick<CheckOptions, 'lastFailed' | 'run'>,
): Summary {
  const wasUnsent = ({ id, before = [] }: CheckResult): boolean =>
    before.some(
      ({ code, path, fate }) =>
        fate === 'not sent again' &&
        remembered.some((of) => of.check === id && of.code === code && of.path === path && of.input),
    );
  const unsent = lastFailed ? summary.checks.filter(wasUnsent).map(({ id }) => id) : [];
  if (unsent.length === 0 || summary.notBegun !== undefined) return summary;
  const reason = `what failed before was not sent again (${unsent.join(' ')}): check it without --last-failed`;
  const outcome = summary.outcome === 'conformant' ? 'incomplete' : summary.outcome;
  return { ...summary, cutShort: [...summary.cutShort, reason], outcome };
}

/** For whoever waits: the rest of the run takes longer. */
export function sentAgainLine(failed: readonly string[]): string {
  const outcome =
    failed.length === 0 ? 'no check fails' : `${failed.join(' ')} ${failed.length === 1 ? 'fails' : 'fail'}`;
  return `What failed before was sent again: ${outcome}. The rest follows.`;
}

const WORDS = ['Fixed', 'Still fails', 'Fails differently', 'Not sent again', 'New', 'Fails'] as const;

/**
 * One line: what was fixed since the target was checked before, what still fails, and what is new. Undefined where
 * nothing failed, then or now.
 */
export function changesLine(
  { checks }: Pick<Summary, 'checks'>,
  before: Pick<Memory, 'failed' | 'isEmpty'>,
  failOn: ReadonlySet<Stricter>,
): string | undefined {
  const words = Map.groupBy(checks, (result) => wordFor(result, before, failOn));
  const parts = WORDS.flatMap((word) => {
    const ids = (words.get(word) ?? []).map(({ id }) => id);
    return ids.length === 0 ? [] : [`${word}: ${ids.join(' ')}`];
  });
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function wordFor(
  result: CheckResult,
  { failed, isEmpty }: Pick<Memory, 'failed' | 'isEmpty'>,
  failOn: ReadonlySet<Stricter>,
): (typeof WORDS)[number] | undefined {
  const fates = (result.before ?? []).map(({ fate }) => fate);
  const isFailing = fails(result, failOn);
  if (!failed.has(result.id)) {
    const fresh = isEmpty ? 'Fails' : 'New';
    return isFailing ? fresh : undefined;
  }
  if (isFailing)
    return fates.length === 0 || fates.includes('still fails') ? 'Still fails' : 'Fails differently';
  return fates.length > 0 && fates.every((fate) => fate === 'fixed') ? 'Fixed' : 'Not sent again';
}
