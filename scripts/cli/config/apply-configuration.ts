import type { CheckFlags } from '../options/check-flags.ts';
import { UsageError } from '../terminal/exit.ts';
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
  ['proxyTunnel', '/proxyTunnel'],
  ['noProxy', '/noProxy'],
  ['ca', '/tls/ca'],
  ['cert', '/tls/cert'],
  ['certKey', '/tls/certKey'],
  ['resolve', '/resolve'],
  ['http2', '/http2'],
  ['pace', '/pace'],
] as const satisfies readonly (readonly [keyof CheckFlags, string])[];

export type SettingFlag = (typeof SETTING_PLACES)[number][0];

/** Flags with what a configuration adds, and where each added one stands. */
export interface ConfiguredFlags {
  readonly flags: CheckFlags;
  /** `chat-conformance.config.json#/targets/staging/tier`, by flag. */
  readonly origins: Readonly<Partial<Record<SettingFlag, string>>>;
}

/**
 * Adds to the flags what the configuration says: flags first, then the target, then the top of the file. What reads it
 * is loaded only where there is one.
 * @throws {UsageError | FileError} Where the file or the target cannot be used.
 */
export async function applyConfiguration(given: CheckFlags): Promise<ConfiguredFlags> {
  const { config, target } = given;
  const file = config === false ? undefined : findConfiguration(process.cwd(), config);
  if (file !== undefined) return (await import('./configured-flags.ts')).configuredFlags(given, file);
  if (target === undefined) return { flags: given, origins: {} };
  throw new UsageError(
    `--target ${target}: there is no configuration file here or above; see chat-conformance init`,
  );
}
