import { randomInt } from 'node:crypto';
import type { RunOptions } from '../../../suites/engine/model/run.ts';
import type { RememberedFailure } from '../../../suites/engine/model/stimulus.ts';
import { type NextBaseline, resolveBaselines } from '../options/baseline-options.ts';
import { sizeOf } from '../options/check-defaults.ts';
import type { ResolvedFlags } from '../options/check-table.ts';
import { LARGEST_SEED, millisecondsOf, paceOf } from '../options/kinds.ts';
import { selectChecks, type Catalogue } from '../options/select-checks.ts';
import { resolveTarget, type Where } from '../options/target-options.ts';
import { againCommand } from '../reports/again-command.ts';
import { makeReportFolder } from '../reports/report-folder.ts';
import type { ServiceCommand } from '../service/start-service.ts';
import { UsageError } from '../terminal/exit.ts';

export interface CheckOptions extends Where {
  readonly run: Omit<RunOptions, 'target' | 'control' | 'signal' | 'onProgress'>;
  /** Whether it is a run of nothing but what failed before. */
  readonly lastFailed: boolean;
  readonly nextBaseline: NextBaseline | undefined;
  /** The folder of the journal and the reports; it exists and is writable. */
  readonly report: string | undefined;
  readonly quiet: boolean;
  /** Present: the run starts it, and ends it. */
  readonly service: ServiceCommand | undefined;
  /** Seconds to wait for the target. */
  readonly wait: number | undefined;
}

function limitsOf({ runs, concurrency, maxFailures, pace, ...flags }: ResolvedFlags) {
  const { maxRequests: requests, maxCompletions: completions, maxOutputTokens: outputTokens } = flags;
  return {
    runs,
    concurrency,
    maxTimeMs: millisecondsOf(flags.maxTime),
    timeoutMs: flags.timeout,
    caps: { requests, completions, outputTokens },
    allow: new Set(flags.allow),
    maxFailures,
    pace: pace === undefined ? undefined : paceOf(pace),
  };
}

/** A command of the configuration runs in its folder. */
function serviceCommand({ start, given, folder }: ResolvedFlags): ServiceCommand | undefined {
  if (start === undefined) return undefined;
  return { command: start, folder: given.start === undefined ? folder : process.cwd() };
}

/** @throws {UsageError} Given flags that contradict each other. */
export function rejectContradictions(flags: ResolvedFlags): void {
  const { baseUrl, shard, plan, lastFailed = false, json = false, showConfig = false } = flags;
  const isWrong: Readonly<Record<string, boolean>> = {
    '--mock excludes --target and --base-url: it checks the bundled mock':
      flags.mock === true && (flags.target ?? baseUrl) !== undefined,
    '--shard requires --seed: all shards of a run must use the same seed':
      shard !== undefined && flags.seed === undefined,
    '--shard and --last-failed exclude each other: shards remember nothing':
      shard !== undefined && lastFailed,
    '--json requires --plan or --show-config: use --report for the JSON report of a run':
      json && plan === undefined && !showConfig,
    '--start and --wait require --base-url: it is where the service will answer':
      baseUrl === undefined && (flags.start ?? flags.wait) !== undefined,
    '--tier free requests no completions: --max-completions must be 0 or 1':
      flags.tier === 'free' && flags.maxCompletions > 1,
  };
  const wrong = Object.keys(isWrong).find((line) => isWrong[line]);
  if (wrong !== undefined) throw new UsageError(wrong);
}

/**
 * Resolves the flags, before anything is sent or started. `remembered`: what failed before, and is sent first.
 * @throws {UsageError | FileError} Given invalid input, with one line that says what to change.
 */
export async function resolveCheckOptions(
  flags: ResolvedFlags,
  environment: NodeJS.ProcessEnv,
  all: Catalogue,
  remembered: readonly RememberedFailure[] = [],
): Promise<CheckOptions> {
  rejectContradictions(flags);
  const where = await resolveTarget(flags, environment);
  const { kind } = where.target;
  const selected = selectChecks(all, flags);
  const { known, next } = await resolveBaselines(flags, all);
  const { seed = randomInt(LARGEST_SEED), report, plan } = flags;
  // A plan, and a run of the mock, keep nothing unless they are told where.
  const isKept = report !== undefined || (plan === undefined && kind === 'live');
  return {
    ...where,
    run: {
      ...selected,
      ...limitsOf(flags),
      withholds: sizeOf(flags.tier, kind).withholds,
      seed,
      again: againCommand(flags.given, seed),
      remembered,
      known,
      failOn: flags.failOn,
    },
    lastFailed: flags.lastFailed === true,
    nextBaseline: next,
    report: isKept ? makeReportFolder(report, seed) : undefined,
    quiet: flags.quiet ?? false,
    service: serviceCommand(flags),
    wait: flags.wait,
  };
}
