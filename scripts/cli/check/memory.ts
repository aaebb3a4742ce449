import { join } from 'node:path';
import type { Check } from '../../../suites/engine/model/check.ts';
import type { RememberedFailure } from '../../../suites/engine/model/remembered.ts';
import type { CheckResult } from '../../../suites/engine/model/summary.ts';
import { FileError } from '../../../suites/engine/text/read-json-file.ts';
import type { CheckFlags, Stricter } from '../options/check-table.ts';
import { baseUrlOf } from '../options/target-options.ts';
import { type ReportHead, reportHead, recentRuns } from '../reports/run-folders.ts';
import { PORT } from '../service/start-service.ts';

/** What a summary and a report both say. */
interface Run {
  readonly checks: readonly Pick<CheckResult, 'id' | 'verdict' | 'known' | 'failures'>[];
  readonly remembered?: readonly RememberedFailure[];
}

/** What failed when a target was last checked, and since then was not seen to be fixed. */
export class Memory {
  readonly #failOn: readonly Stricter[];
  readonly #failures = new Map<string, readonly RememberedFailure[]>();
  /** Whether the target was not checked before. */
  isEmpty = true;
  /** How long the latest run took, and how many requests it sent; undefined without one. */
  lastRun: { readonly requests: number; readonly ms: number } | undefined;

  constructor({ failOn = [] }: Pick<CheckFlags, 'failOn'>) {
    this.#failOn = failOn;
  }

  /** What the kept reports say of the target of these flags, which still have `{port}` in the base URL. */
  static async read(flags: CheckFlags): Promise<Memory> {
    const memory = new Memory(flags);
    const files = reportsOf(flags);
    if (files.length === 0) return memory;
    // Heavy, and the first run of a target reads no report.
    const { readReport } = await import('../../../suites/engine/reports/read-report.ts');
    for (const file of files) {
      try {
        const run = readReport(file);
        memory.note(run);
        memory.lastRun = { requests: run.spent.requests, ms: run.durationMs };
      } catch (error) {
        // The report of another release, or a broken one, is no reason to check nothing.
        if (!(error instanceof FileError)) throw error;
      }
    }
    return memory;
  }

  /** Takes what a later run leaves: of what it did not check, what it passes on. */
  note(run: Run): void {
    const { checks, remembered = rememberedBy(run) } = run;
    const left = Map.groupBy(remembered, ({ check }) => check);
    for (const [id, failures] of left) this.#failures.set(id, failures);
    for (const result of checks) {
      if (result.verdict !== 'not-exercised') this.isEmpty = false;
      if (!left.has(result.id) || !this.#counts(result)) this.#failures.delete(result.id);
    }
  }

  /** Every way in which a check or an invariant failed, with its inputs. */
  get failures(): readonly RememberedFailure[] {
    return [...this.#failures.values()].flat();
  }

  /** The IDs of the checks and invariants that failed. */
  get failed(): ReadonlySet<string> {
    return new Set(this.failures.map(({ check }) => check));
  }

  /**
   * The words that select what failed among these: the IDs of the checks and invariants, and for an invariant those of
   * the checks that send what broke it.
   */
  wordsFor(ids: ReadonlySet<string>, checks: readonly Check[]): readonly string[] {
    const failed = this.failures.filter(({ check }) => ids.has(check));
    const own = new Set(checks.map(({ id }) => id));
    const kinds = new Set(
      failed.flatMap(({ check, input }) => (own.has(check) ? [] : (input?.stimulus ?? []))),
    );
    const senders = checks.filter(({ given }) => kinds.has(given.name)).map(({ id }) => id);
    return [...new Set([...failed.map(({ check }) => check), ...senders])];
  }

  /** What is known is not to be mended, and a warning only where it fails the run. */
  #counts(result: Pick<CheckResult, 'verdict' | 'known'>): boolean {
    return result.known === undefined && (result.verdict !== 'warn' || fails(result, this.#failOn));
  }
}

/** What the report of an older release remembers, without inputs. */
function rememberedBy({ checks }: Run): readonly RememberedFailure[] {
  return checks.flatMap(({ id, failures }) =>
    failures.map(({ code, path }) => ({ check: id, code, ...(path !== undefined && { path }) })),
  );
}

/** Whether a run that is this strict fails on a check. */
export function fails(
  { verdict, known }: Pick<CheckResult, 'verdict' | 'known'>,
  failOn: Iterable<Stricter>,
): boolean {
  if (known !== undefined) return false;
  return verdict === 'fail' || verdict === 'error' || (verdict === 'warn' && [...failOn].includes('warn'));
}

/** The reports of runs against this target, the latest last. */
function reportsOf({ report, baseUrl, places }: CheckFlags): readonly string[] {
  const folders = new Set([...(report === undefined ? [] : [report]), ...recentRuns()]);
  const found = [...folders].flatMap((folder) => {
    const file = join(folder, 'report.json');
    const head = reportHead(file);
    return head !== undefined && isSameTarget(head, baseUrl, places?.baseUrl)
      ? [{ file, startedAt: head.startedAt }]
      : [];
  });
  return found.toSorted((a, b) => (a.startedAt > b.startedAt ? 1 : -1)).map(({ file }) => file);
}

/** Each start of a service on `{port}` has a port of its own. */
function isSameTarget(
  { baseUrl = '', kind }: ReportHead,
  wanted: string | undefined,
  said: string | undefined,
): boolean {
  if (wanted === undefined) return kind === 'mock';
  if (!wanted.includes(PORT)) return kind === 'live' && baseUrl === baseUrlOf(wanted, said);
  const [before = '', after = ''] = wanted.split(PORT);
  const isAround = baseUrl.startsWith(before) && baseUrl.endsWith(after);
  return isAround && /^\d+$/.test(baseUrl.slice(before.length, baseUrl.length - after.length));
}
