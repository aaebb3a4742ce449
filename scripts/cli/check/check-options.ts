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
import { fillPort, type ServiceCommand } from '../service/start-service.ts';

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

/** A command of the configuration runs in its folder. */
function serviceCommand({ start, given, folder }: ResolvedFlags): ServiceCommand | undefined {
  if (start === undefined) return undefined;
  return { command: start, folder: given.start === undefined ? folder : process.cwd() };
}

/**
 * Resolves the flags, which may have `{port}`, before anything is sent or started. `remembered`: what failed before, and is
 * sent first.
 * @throws {UsageError | FileError} Given invalid input, with one line that says what to change.
 */
export async function resolveCheckOptions(
  withPort: ResolvedFlags,
  environment: NodeJS.ProcessEnv,
  all: Catalogue,
  remembered: readonly RememberedFailure[] = [],
): Promise<CheckOptions> {
  const flags = fillPort(withPort);
  const where = await resolveTarget(flags, environment);
  const selected = selectChecks(all, flags);
  const { known, next } = await resolveBaselines(flags, all);
  const { seed = randomInt(LARGEST_SEED), report, plan, pace } = flags;
  const { maxRequests: requests, maxCompletions: completions, maxOutputTokens: outputTokens } = flags;
  // A plan, and a run of the mock, keep nothing unless they are told where.
  const isKept = report !== undefined || (plan === undefined && where.target.kind === 'live');
  return {
    ...where,
    run: {
      ...selected,
      runs: flags.runs,
      concurrency: flags.concurrency,
      maxTimeMs: millisecondsOf(flags.maxTime),
      timeoutMs: flags.timeout,
      caps: { requests, completions, outputTokens },
      allow: new Set(flags.allow),
      maxFailures: flags.maxFailures,
      pace: pace === undefined ? undefined : paceOf(pace),
      withholds: sizeOf(flags.tier, where.target.kind).withholds,
      seed,
      again: againCommand(flags.given, seed),
      remembered,
      known,
      failOn: flags.failOn,
    },
    lastFailed: flags.lastFailed === true,
    nextBaseline: next,
    // The last step, since it makes the folder.
    report: isKept ? makeReportFolder(report, seed) : undefined,
    quiet: flags.quiet ?? false,
    service: serviceCommand(flags),
    wait: flags.wait,
  };
}
