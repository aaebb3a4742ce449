import { askedFor } from '../../../suites/engine/model/run.ts';
import { type Fate, FATES, type RememberedFailure } from '../../../suites/engine/model/stimulus.ts';
import type { CheckResult, Summary } from '../../../suites/engine/model/summary.ts';
import { FileError } from '../../../suites/engine/text/read-json-file.ts';
import { type Catalogue, selectChecks } from '../modules/catalogue.ts';
import type { ResolvedFlags, Stricter } from '../options/check-table.ts';
import { baseUrlOf } from '../options/target-options.ts';
import { pastRuns } from '../reports/report-folder.ts';
import type { CheckOptions } from './check-options.ts';
import { PORT } from './start-service.ts';

/** What the latest run of a target leaves for the next one. */
export interface Memory {
  /** Every way in which a check or an invariant failed and was not seen to be fixed, with its inputs. */
  readonly failures: readonly RememberedFailure[];
  /** How long it took, and how many requests it sent; undefined where the target was not checked before. */
  readonly lastRun: { readonly requests: number; readonly ms: number } | undefined;
}

export const NO_MEMORY: Memory = { failures: [], lastRun: undefined };

/** What a summary and a report both say. */
interface Run extends Pick<Summary, 'remembered' | 'spent' | 'durationMs'> {
  readonly checks: readonly Pick<CheckResult, 'id' | 'verdict' | 'known'>[];
}

/** What a run leaves. What is known is not to be mended, and a warning only where it fails the run. */
export function memoryOf(run: Run, failOn: readonly Stricter[] = []): Memory {
  const { checks, remembered = [], spent, durationMs } = run;
  const forgotten = new Set(checks.filter((result) => !counts(result, failOn)).map(({ id }) => id));
  return {
    failures: remembered.filter(({ check }) => !forgotten.has(check)),
    lastRun: { requests: spent.requests, ms: durationMs },
  };
}

/** Whether a failure of a check is to be mended, in a run that is this strict. */
function counts({ verdict, known }: Run['checks'][number], failOn: readonly Stricter[]): boolean {
  return known === undefined && (verdict !== 'warn' || failOn.includes('warn'));
}

/** What the latest report of the target of these flags says; they still have `{port}` in the base URL. */
export async function readMemory({ report, baseUrl, origins, failOn }: ResolvedFlags): Promise<Memory> {
  const wanted =
    baseUrl === undefined || baseUrl.includes(PORT) ? baseUrl : baseUrlOf(baseUrl, origins['baseUrl']);
  const last = pastRuns(report === undefined ? [] : [report]).find((run) => {
    if (wanted === undefined) return run.kind === 'mock';
    // Each start of a service on `{port}` has a port of its own.
    const places = [run.baseUrl, run.baseUrl.replace(/:\d+(?=\/)/, `:${PORT}`)];
    return run.kind === 'live' && places.includes(wanted);
  });
  if (last === undefined) return NO_MEMORY;
  // Heavy, and the first run of a target reads no report.
  const { readReport } = await import('../../../suites/engine/reports/read-report.ts');
  try {
    return memoryOf(readReport(last.folder), failOn);
  } catch (error) {
    // The report of another release, or a broken one, is no reason to check nothing.
    if (!(error instanceof FileError)) throw error;
    return NO_MEMORY;
  }
}

/**
 * The flags of a run of nothing but what failed, among the checks that they select; undefined where nothing did. With an
 * invariant go the checks that send what broke it.
 */
export function onlyFailed(
  flags: ResolvedFlags,
  all: Catalogue,
  { failures }: Pick<Memory, 'failures'>,
): ResolvedFlags | undefined {
  const { only = [], skip = [] } = flags;
  const asked = new Set(askedFor(selectChecks(all, { only, skip })).map(({ id }) => id));
  const failed = failures.filter(({ check }) => asked.has(check));
  const own = new Set(all.checks.map(({ id }) => id));
  const kinds = new Set(failed.flatMap(({ check, input }) => (own.has(check) ? [] : input?.stimulus)));
  const senders = all.checks.filter(({ given }) => kinds.has(given.name));
  const words = new Set([...failed.map(({ check }) => check), ...senders.map(({ id }) => id)]);
  return words.size === 0 ? undefined : { ...flags, only: [...words], lastFailed: true };
}

/** Of these, nobody knows whether it is fixed. */
const OPEN: ReadonlySet<Fate> = new Set(['undecided', 'not seen again', 'not sent again']);

/** The summary of a run of nothing but what failed: where it did not decide whether that is fixed, it has found out little. */
export function withLastFailed(summary: Summary, { lastFailed }: Pick<CheckOptions, 'lastFailed'>): Summary {
  const open = summary.checks.filter(
    ({ verdict, before = [] }) => verdict !== 'fail' && before.some(({ fate }) => OPEN.has(fate)),
  );
  if (!lastFailed || open.length === 0 || summary.notBegun !== undefined) return summary;
  const ids = open.map(({ id }) => id).join(' ');
  const reason = `this run does not decide whether what failed before is fixed (${ids}): a whole run with the same options decides`;
  const outcome = summary.outcome === 'conformant' ? 'incomplete' : summary.outcome;
  return { ...summary, cutShort: [...summary.cutShort, reason], outcome };
}

/** In the order in which they are told. */
const WORDS = {
  fixed: 'Fixed',
  'still fails': 'Still fails',
  'fails differently': 'Fails differently',
  undecided: 'Undecided',
  'not seen again': 'Not seen again (a whole run as large as before decides)',
  'not sent again': 'Not sent again',
  new: 'New',
  fails: 'Fails',
} as const satisfies Readonly<Record<Fate | 'new' | 'fails', string>>;

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
  const parts = Object.values(WORDS).flatMap((word) => {
    const ids = (words.get(word) ?? []).map(({ id }) => id);
    return ids.length === 0 ? [] : [`${word}: ${ids.join(' ')}`];
  });
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function wordFor(
  result: CheckResult,
  { failures, lastRun }: Memory,
  failOn: readonly Stricter[],
): string | undefined {
  const fates = new Set((result.before ?? []).map(({ fate }) => fate));
  const isFailing = counts(result, failOn) && ['fail', 'error', 'warn'].includes(result.verdict);
  if (failures.every(({ check }) => check !== result.id)) {
    return isFailing ? WORDS[lastRun === undefined ? 'fails' : 'new'] : undefined;
  }
  const worst = FATES.find((fate) => fates.has(fate)) ?? (isFailing ? 'still fails' : 'not sent again');
  return WORDS[isFailing && worst !== 'still fails' ? 'fails differently' : worst];
}
