import { join } from 'node:path';
import type { RememberedFailure } from '../../../suites/engine/model/remembered.ts';
import type { CheckResult, Summary } from '../../../suites/engine/model/summary.ts';
import { FileError } from '../../../suites/engine/text/read-json-file.ts';
import type { ResolvedFlags, Stricter } from '../options/check-table.ts';
import { baseUrlOf } from '../options/target-options.ts';
import { type ReportHead, reportHead, recentRuns } from '../reports/run-folders.ts';
import { PORT } from '../service/start-service.ts';

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
  const uncounted = checks.filter(
    (result) => result.known !== undefined || (result.verdict === 'warn' && !fails(result, failOn)),
  );
  const ids = new Set(uncounted.map(({ id }) => id));
  return {
    failures: remembered.filter(({ check }) => !ids.has(check)),
    lastRun: { requests: spent.requests, ms: durationMs },
  };
}

/** What the latest report of the target of these flags says; they still have `{port}` in the base URL. */
export async function readMemory(flags: ResolvedFlags): Promise<Memory> {
  const file = latestReport(flags);
  if (file === undefined) return NO_MEMORY;
  // Heavy, and the first run of a target reads no report.
  const { readReport } = await import('../../../suites/engine/reports/read-report.ts');
  try {
    return memoryOf(readReport(file), flags.failOn);
  } catch (error) {
    // The report of another release, or a broken one, is no reason to check nothing.
    if (!(error instanceof FileError)) throw error;
    return NO_MEMORY;
  }
}

function latestReport({ report, baseUrl, origins }: ResolvedFlags): string | undefined {
  const folders = new Set([...(report === undefined ? [] : [report]), ...recentRuns()]);
  const found = [...folders].flatMap((folder) => {
    const file = join(folder, 'report.json');
    const head = reportHead(file);
    return head?.hasBegun === true && isSameTarget(head, baseUrl, origins['baseUrl'])
      ? [{ file, startedAt: head.startedAt }]
      : [];
  });
  return found.toSorted((a, b) => (a.startedAt > b.startedAt ? 1 : -1)).at(-1)?.file;
}

/** Each start of a service on `{port}` has a port of its own. */
function isSameTarget(
  { baseUrl = '', kind }: ReportHead,
  wanted: string | undefined,
  said: string | undefined,
): boolean {
  if (wanted === undefined) return kind === 'mock';
  if (kind !== 'live') return false;
  if (!wanted.includes(PORT)) return baseUrl === baseUrlOf(wanted, said);
  const [before = '', after = ''] = wanted.split(PORT);
  const isAround = baseUrl.startsWith(before) && baseUrl.endsWith(after);
  return isAround && /^\d+$/.test(baseUrl.slice(before.length, baseUrl.length - after.length));
}

/** Whether a run that is this strict fails on a check. */
export function fails(
  { verdict, known }: Pick<CheckResult, 'verdict' | 'known'>,
  failOn: Iterable<Stricter>,
): boolean {
  if (known !== undefined) return false;
  return verdict === 'fail' || verdict === 'error' || (verdict === 'warn' && [...failOn].includes('warn'));
}
