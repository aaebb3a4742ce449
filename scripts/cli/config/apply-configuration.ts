import type { CheckFlags } from '../options/check-flags.ts';
import { UsageError } from '../terminal/exit.ts';
import { withVariables } from './environment-flags.ts';
import { findConfiguration } from './find-configuration.ts';

/** The flags that a configuration can stand for, each with the place of its setting. */
export const SETTING_PLACES = [
  ['baseUrl', '/baseUrl'],
  ['controlUrl', '/controlUrl'],
  ['start', '/start'],
  ['wait', '/wait'],
  ['tier', '/tier'],
  ['runs', '/runs'],
  ['maxRequests', '/caps/requests'],
  ['maxCompletions', '/caps/completions'],
  ['maxOutputTokens', '/caps/outputTokens'],
  ['maxFailures', '/maxFailures'],
  ['concurrency', '/concurrency'],
  ['timeout', '/timeout'],
  ['maxTime', '/maxTime'],
  ['allow', '/allow'],
  ['only', '/only'],
  ['skip', '/skip'],
  ['checks', '/checks'],
  ['seed', '/seed'],
  ['profile', '/profile'],
  ['baseline', '/baseline'],
  ['failOn', '/failOn'],
  ['report', '/report'],
  ['watchPaths', '/watch'],
  ['proxy', '/proxy'],
  ['noProxy', '/noProxy'],
  ['ca', '/tls/ca'],
  ['cert', '/tls/cert'],
  ['certKey', '/tls/certKey'],
  ['http2', '/http2'],
  ['pace', '/pace'],
] as const satisfies readonly (readonly [keyof CheckFlags, string])[];

export type SettingFlag = (typeof SETTING_PLACES)[number][0];

/** Flags with what the environment and a configuration add, and where each added one stands. */
export interface ConfiguredFlags {
  readonly flags: CheckFlags;
  /** `chat-conformance.config.json#/targets/staging/tier` or `CHAT_BASE_URL`, by flag. */
  readonly origins: Readonly<Partial<Record<SettingFlag | 'target', string>>>;
}

/**
 * Adds to the flags what the environment and the configuration say: flags first, then variables, then the target, then the
 * top of the file. What reads it is loaded only where there is one.
 * @throws {UsageError | FileError} Where the file or the target cannot be used.
 */
export async function applyConfiguration(
  onCommandLine: CheckFlags,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ConfiguredFlags> {
  const { flags: given, variables } = withVariables(onCommandLine, environment);
  const { flags, origins } = await configured(given);
  return {
    flags: { ...flags, places: { ...flags.places, ...variables } },
    origins: { ...origins, ...variables },
  };
}

async function configured(given: CheckFlags): Promise<ConfiguredFlags> {
  const { config, target } = given;
  if (target?.trim() === '')
    throw new UsageError('--target (or CHAT_TARGET) is empty: it must name a target');
  const file = config === false ? undefined : findConfiguration(process.cwd(), config);
  if (file !== undefined) return (await import('./configured-flags.ts')).configuredFlags(given, file);
  if (target === undefined) return { flags: given, origins: {} };
  throw new UsageError(
    `--target ${target}: there is no configuration file here or above; see chat-conformance init`,
  );
}
