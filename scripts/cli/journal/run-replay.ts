import { dirname, join } from 'node:path';
import type { Recording } from '../../../suites/kit/journal/read-journal.ts';
import type { RunEntry } from '../../../suites/kit/model/journal.ts';
import type { RunOptions } from '../../../suites/kit/model/run.ts';
import { applyConfiguration } from '../config/apply-configuration.ts';
import { startEmbeddedMock } from '../mock/embedded-mock.ts';
import type { HeaderSource } from '../options/check-flags.ts';
import type { NetworkFlags } from '../options/network-flags.ts';
import type { SecretFlags } from '../options/read-secret.ts';
import {
  liveTarget,
  type TargetChoice,
  baseUrlOf,
  resolveControl,
  extraHeaders,
} from '../options/target-options.ts';
import { UsageError } from '../terminal/exit.ts';
import { keepJournal } from './keep-journal.ts';

/** Sends what a recording holds again with `send`. If the target was the mock, a new one is started. */
export async function runReplay<T>(
  { destination, headers, options, journal }: ReplayOptions,
  { run }: Recording,
  send: (options: RunOptions) => Promise<T>,
): Promise<T> {
  const { profile } = run.target;
  const rest = { ...options, checks: [], invariants: [] };
  if (destination.kind === 'mock') {
    const { baseUrl, keys, control, stop } = await startEmbeddedMock(run.seed);
    const target = { kind: 'mock', baseUrl, keys, headers, profile } as const;
    try {
      return await send({ ...rest, target, control: { url: control } });
    } finally {
      await stop();
    }
  }
  const { control, ...where } = destination;
  const whole = {
    ...rest,
    target: { ...where, headers, profile },
    ...(control !== undefined && { control }),
  };
  if (journal === undefined) return send(whole);
  const kept = await keepJournal(journal, whole);
  return send({ ...whole, journal: kept.journal }).finally(kept.close);
}

export interface ReplayFlags extends SecretFlags, NetworkFlags {
  readonly baseUrl?: string;
  readonly controlUrl?: string;
  readonly header?: readonly string[];
  readonly headers?: readonly HeaderSource[];
  readonly config?: string | false;
  readonly target?: string;
  /** A module with checks of the user's own. */
  readonly checks?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a replay goes, and with what: the run's own target, unless another one is named. */
export interface ReplayOptions {
  readonly destination: TargetChoice;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: Pick<
    RunOptions,
    'seed' | 'runs' | 'concurrency' | 'timeoutMs' | 'caps' | 'allow' | 'heldBytes'
  >;
  /** The journal of what is sent again; undefined against the mock. */
  readonly journal: string | undefined;
}

/** @throws {UsageError} When something is missing that the run had. */
export async function resolveReplayOptions(
  { run }: Recording,
  file: string,
  given: ReplayFlags,
  environment: Environment,
): Promise<ReplayOptions> {
  const flags = await configuredReplay(given);
  const { seed, runs, concurrency, timeoutMs, allow } = run;
  const destination = await destinationOf(run, flags, environment);
  return {
    destination,
    headers: headersOf(run, flags, environment),
    options: { seed, runs, concurrency, timeoutMs, caps: capsOf(run), allow: new Set(allow) },
    journal:
      destination.kind === 'live'
        ? join(dirname(file), `replay-${new Date().toISOString().replaceAll(':', '-')}.ndjson`)
        : undefined,
  };
}

/** With the secrets, headers and network of the configuration. Where a replay goes, the run or a flag says. */
export async function configuredReplay(given: ReplayFlags): Promise<ReplayFlags> {
  const { flags } = await applyConfiguration(given);
  const { baseUrl: _baseUrl, controlUrl: _controlUrl, ...others } = flags;
  return { ...others, ...given };
}

async function destinationOf(
  { target }: RunEntry,
  flags: ReplayFlags,
  environment: Environment,
): Promise<TargetChoice> {
  if (flags.baseUrl === undefined && target.kind === 'mock') return { kind: 'mock' };
  const baseUrl = flags.baseUrl === undefined ? target.baseUrl : baseUrlOf(flags.baseUrl);
  // Another target is controlled elsewhere.
  const controlUrl = flags.controlUrl ?? (flags.baseUrl === undefined ? target.controlUrl : undefined);
  const control =
    controlUrl === undefined ? undefined : resolveControl({ ...flags, baseUrl, controlUrl }, environment);
  return liveTarget(baseUrl, control, flags, environment);
}

function headersOf(
  { target }: RunEntry,
  flags: ReplayFlags,
  environment: Environment,
): Readonly<Record<string, string>> {
  const headers = extraHeaders(flags, environment);
  const missing = target.headers.find((name) => !Object.hasOwn(headers, name));
  if (missing === undefined) return headers;
  throw new UsageError(
    `every request of that run had the header ${missing}: pass it with --header '${missing}:…'`,
  );
}

function capsOf({ caps }: RunEntry): RunOptions['caps'] {
  return {
    requests: caps.requests ?? Infinity,
    completions: caps.completions ?? Infinity,
    outputTokens: caps.outputTokens ?? Infinity,
  };
}
