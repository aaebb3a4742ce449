import { randomInt } from 'node:crypto';
import type { Profile } from '../../../suites/kit/model/target.ts';
import type { Keys, RunOptions } from '../../../suites/kit/model/run.ts';
import { baseUrlOf, resolveControl, extraHeaders, readKeys } from '../options/target-options.ts';
import { resolveBaselineOptions, type BaselineOptions } from '../options/baseline-options.ts';
import { DEFAULTS, sizeOf, TIMEOUT_MS } from './check-defaults.ts';
import { LARGEST_SEED, type CheckFlags, type Stricter } from '../options/check-flags.ts';
import { prepareReportFolder } from '../reports/save-reports.ts';
import { selectChecks, type Catalogue } from '../options/select-checks.ts';
import { UsageError } from '../terminal/exit.ts';

/** Where a run goes: to the mock that comes with it, or to a service of somebody's. */
export type Destination =
  | { readonly kind: 'mock' }
  | {
      readonly kind: 'live';
      readonly baseUrl: string;
      readonly keys: Keys;
      readonly control?: NonNullable<RunOptions['control']>;
    };

/** A run whose every input has been found good. */
export interface CheckOptions {
  readonly destination: Destination;
  readonly profile: Profile;
  readonly headers: Readonly<Record<string, string>>;
  readonly run: Omit<RunOptions, 'target' | 'control' | 'signal' | 'onProgress'>;
  readonly failOn: ReadonlySet<Stricter>;
  readonly baseline: BaselineOptions;
  /** The folder the journal and the reports go to; it is there and can be written. */
  readonly report: string | undefined;
  readonly quiet: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

function destinationOf(flags: CheckFlags, environment: Environment): Destination {
  const control = resolveControl(flags, environment);
  if (flags.baseUrl === undefined) {
    if (flags.apiKeyFile !== undefined)
      throw new UsageError('--api-key-file goes with --base-url: the mock has keys of its own');
    return { kind: 'mock' };
  }
  const baseUrl = baseUrlOf(flags.baseUrl);
  const keys = readKeys(environment, flags.apiKeyFile);
  return { kind: 'live', baseUrl, keys, ...(control !== undefined && { control }) };
}

async function profileOf(file: string | undefined): Promise<Profile> {
  if (file === undefined) return {};
  const { readProfile } = await import('../../../suites/kit/profile-file/read-profile.ts');
  return readProfile(file);
}

function runOptions(flags: CheckFlags, kind: Destination['kind'], selected: Catalogue): CheckOptions['run'] {
  const { tier: usual, concurrency, allow } = DEFAULTS[kind];
  const { runs, caps, withholds } = sizeOf(flags.tier ?? usual, kind);
  return {
    ...selected,
    seed: flags.seed ?? randomInt(LARGEST_SEED),
    runs: flags.runs ?? runs,
    concurrency: flags.concurrency ?? concurrency,
    timeoutMs: flags.timeout ?? TIMEOUT_MS,
    caps: {
      requests: flags.maxRequests ?? caps.requests,
      completions: flags.maxCompletions ?? caps.completions,
      outputTokens: flags.maxOutputTokens ?? caps.outputTokens,
    },
    ...(withholds !== undefined && { withholds }),
    allow: new Set(flags.allow ?? allow),
  };
}

/** @throws {UsageError} Given options that contradict each other. */
function rejectContradictions(flags: CheckFlags): void {
  const { plan = false, json = false, tier, maxCompletions = 0, shard, seed } = flags;
  if (shard !== undefined && seed === undefined)
    throw new UsageError('--shard goes with --seed: the jobs of one run draw from the same one');
  if (json && !plan)
    throw new UsageError('--json goes with --plan: a report of a run is written by --report');
  if (tier === 'free' && maxCompletions > 1)
    throw new UsageError('--tier free asks for no completion: --max-completions is 0 or 1 with it');
}

/**
 * Finds everything that is wrong with the input before anything is sent or started.
 * @throws {UsageError | FileError} With one line that says what to change.
 */
export async function resolveCheckOptions(
  flags: CheckFlags,
  environment: Environment,
  all: Catalogue,
): Promise<CheckOptions> {
  rejectContradictions(flags);
  const destination = destinationOf(flags, environment);
  const headers = extraHeaders(flags.header ?? []);
  const selected = selectChecks(all, flags.only ?? [], flags.skip ?? []);
  const profile = await profileOf(flags.profile);
  const baseline = await resolveBaselineOptions(flags, all);
  const report = flags.report ?? (flags.plan === true ? undefined : DEFAULTS[destination.kind].report);
  if (report !== undefined) prepareReportFolder(report);
  return {
    destination,
    headers,
    profile,
    run: runOptions(flags, destination.kind, selected),
    failOn: new Set(flags.failOn),
    baseline,
    report,
    quiet: flags.quiet ?? false,
  };
}
