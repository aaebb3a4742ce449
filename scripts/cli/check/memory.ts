import { askedFor } from '../../../suites/engine/model/run.ts';
import type { RememberedFailure } from '../../../suites/engine/model/stimulus.ts';
import type { CheckResult, Summary } from '../../../suites/engine/model/summary.ts';
import { FileError } from '../../../suites/engine/text/read-json-file.ts';
import { type Catalogue, selectChecks } from '../modules/catalogue.ts';
import type { ResolvedFlags, Stricter } from '../options/check-table.ts';
import { lastRunOf } from '../reports/report-folder.ts';
import { noteLine } from '../terminal/terminal.ts';
import type { CheckOptions } from './check-options.ts';

/**
 * What the latest run of a target leaves for the next one: every way in which a check or an invariant failed and was not seen to
 * be fixed, with its inputs. Undefined: the target was not checked before.
 */
export type Memory = readonly RememberedFailure[] | undefined;

/** What a run leaves. What is known is not to be mended, and a warning only where it fails the run. */
export function memoryOf(
  { checks, remembered = [] }: Pick<Summary, 'checks' | 'remembered'>,
  failOn: readonly Stricter[] = [],
): readonly RememberedFailure[] {
  const forgotten = new Set(checks.filter((result) => !counts(result, failOn)).map(({ id }) => id));
  return remembered.filter(({ check }) => !forgotten.has(check));
}

/** Whether a failure of a check is to be mended, in a run that is this strict. */
function counts({ verdict, known }: CheckResult, failOn: readonly Stricter[]): boolean {
  return known === undefined && (verdict !== 'warn' || failOn.includes('warn'));
}

/** What the latest report of the target of these flags says; they still have `{port}` in the base URL. */
export async function readMemory(flags: ResolvedFlags): Promise<Memory> {
  const last = lastRunOf(flags);
  if (last === undefined) return undefined;
  // Heavy, and the first run of a target reads no report.
  const { readReport } = await import('../../../suites/engine/reports/read-report.ts');
  try {
    return memoryOf(readReport(last), flags.failOn);
  } catch (error) {
    // The report of another release, or a broken one, is no reason to check nothing.
    if (!(error instanceof FileError)) throw error;
    return undefined;
  }
}

/**
 * The flags of a run of what failed last, where that is wanted: nothing but that, among the checks that they select. With an
 * invariant go the checks that send what broke it. A run that checks nothing would say nothing: where nothing failed, all is checked.
 */
export function selectedFlags(flags: ResolvedFlags, all: Catalogue, memory: Memory = []): ResolvedFlags {
  if (flags.lastFailed !== true) return flags;
  const { only, skip = [] } = flags;
  const asked = new Set(askedFor(selectChecks(all, { only: only ?? [], skip })).map(({ id }) => id));
  const failed = memory.filter(({ check }) => asked.has(check));
  const own = new Set(all.checks.map(({ id }) => id));
  const kinds = new Set(failed.flatMap(({ check, input }) => (own.has(check) ? [] : input?.stimulus)));
  const senders = all.checks.filter(({ given }) => kinds.has(given.name));
  const words = new Set([...failed.map(({ check }) => check), ...senders.map(({ id }) => id)]);
  if (words.size > 0) return { ...flags, only: [...words] };
  const what = only === undefined ? 'everything' : 'all that --only names';
  noteLine(`Nothing failed in the last run of this target: checking ${what}.`);
  return flags;
}

/** The summary of a run of nothing but what failed: where it did not decide whether that is fixed, it has found out little. */
export function withLastFailed(summary: Summary, { lastFailed }: Pick<CheckOptions, 'lastFailed'>): Summary {
  const open = summary.checks.filter(
    ({ verdict, before = [] }) => verdict !== 'fail' && before.some(({ fate }) => fate === 'undecided'),
  );
  if (!lastFailed || open.length === 0 || summary.notBegun !== undefined) return summary;
  const ids = open.map(({ id }) => id).join(' ');
  const reason = `this run could not decide whether the earlier failures are fixed (${ids}): run everything with the same options`;
  const outcome = summary.outcome === 'conformant' ? 'incomplete' : summary.outcome;
  return { ...summary, cutShort: [...summary.cutShort, reason], outcome };
}

/** In the order in which they are told. */
const WORDS = ['Fixed', 'Still fails', 'Undecided', 'New', 'Fails'] as const;

/**
 * One line: what was fixed since the target was checked before, what still fails, and what is new. Undefined where
 * nothing failed, then or now.
 */
export function changesLine(
  { checks }: Pick<Summary, 'checks'>,
  before: Memory,
  failOn: readonly Stricter[] = [],
): string | undefined {
  const words = Map.groupBy(checks, (result) => wordFor(result, before, failOn));
  const parts = WORDS.flatMap((word) => {
    const ids = (words.get(word) ?? []).map(({ id }) => id);
    return ids.length === 0 ? [] : [`${word}: ${ids.join(' ')}`];
  });
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function wordFor(result: CheckResult, memory: Memory, failOn: readonly Stricter[]) {
  const isFailing = counts(result, failOn) && ['fail', 'error', 'warn'].includes(result.verdict);
  const hasFailed = memory?.some(({ check }) => check === result.id) === true;
  if (!hasFailed && isFailing) return memory === undefined ? 'Fails' : 'New';
  if (!hasFailed) return undefined;
  const { before = [] } = result;
  // What is known by now fails nothing, and is not mended.
  if (isFailing || before.some(({ fate }) => fate === 'still fails')) return 'Still fails';
  return before.length > 0 && before.every(({ fate }) => fate === 'fixed') ? 'Fixed' : 'Undecided';
}
