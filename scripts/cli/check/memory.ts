import { join } from 'node:path';
import { FileError } from '../../../suites/kit/files/read-json-file.ts';
import type { Check } from '../../../suites/kit/model/check.ts';
import type { RememberedFailure } from '../../../suites/kit/model/remembered.ts';
import type { CheckResult } from '../../../suites/kit/model/summary.ts';
import type { CheckFlags, Stricter } from '../options/check-flags.ts';
import { baseUrlOf } from '../options/target-options.ts';
import { type ReportHead, reportHead, recentRuns } from '../reports/run-folders.ts';
import { PORT } from '../service/fill-port.ts';

/** What a summary and a report both say of a check. */
type Judged = Pick<CheckResult, 'id' | 'verdict' | 'known' | 'again' | 'before'> & {
  readonly evidence: readonly Pick<CheckResult['evidence'][number], 'finding' | 'input'>[];
};

/** Each check of a target as it was judged last. */
export class Memory {
  readonly #failOn: readonly Stricter[];
  readonly #latest = new Map<string, Judged>();
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
    const { readReport } = await import('../../../suites/kit/reporting/report-schema.ts');
    for (const file of files) {
      try {
        const { checks, spent, durationMs } = readReport(file);
        memory.note(checks);
        memory.lastRun = { requests: spent.requests, ms: durationMs };
      } catch (error) {
        // The report of another release, or a broken one, is no reason to check nothing.
        if (!(error instanceof FileError)) throw error;
      }
    }
    return memory;
  }

  /** Takes the results of a later run. */
  note(results: readonly Judged[]): void {
    for (const result of results) if (this.#isDecided(result)) this.#latest.set(result.id, result);
  }

  /** Whether the target was checked before. */
  get isEmpty(): boolean {
    return this.#latest.size === 0;
  }

  /** The IDs of the checks and invariants that failed. */
  get failed(): ReadonlySet<string> {
    return new Set(this.#failures.map(({ id }) => id));
  }

  get #failures(): readonly Judged[] {
    return [...this.#latest.values()].filter((each) => fails(each, this.#failOn));
  }

  /** Every way in which these checks and invariants failed, with its input. */
  failuresOf(ids: ReadonlySet<string>): readonly RememberedFailure[] {
    return this.#failures
      .filter(({ id }) => ids.has(id))
      .flatMap(({ id, evidence }) =>
        evidence.map(({ finding: { code, path }, input }) => ({
          check: id,
          code,
          ...(path !== undefined && { path }),
          ...(input !== undefined && { input }),
        })),
      );
  }

  /**
   * The words that select what failed among these: the IDs of the checks and invariants, and for an invariant those of
   * the checks that send what broke it.
   */
  wordsFor(ids: ReadonlySet<string>, checks: readonly Check[]): readonly string[] {
    const failed = this.#failures.filter(({ id }) => ids.has(id));
    const kinds = new Set(
      failed.flatMap(({ again }) => /--send (\S+)/.exec(again ?? '')?.[1]?.split(',') ?? []),
    );
    const senders = checks.filter(({ given }) => kinds.has(given.name));
    return [...new Set([...failed, ...senders].map(({ id }) => id))];
  }

  /** What was not sent again is not mended. */
  #isDecided(result: Judged): boolean {
    const { verdict, before = [] } = result;
    if (verdict === 'not-exercised' || verdict === 'inconclusive') return false;
    return fails(result, this.#failOn) || before.every(({ fate }) => fate !== 'not sent again');
  }
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
    return head?.hasBegun === true && isSameTarget(head, baseUrl, places?.baseUrl)
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
