import { dirname, resolve } from 'node:path';
import { didYouMean } from '../../../suites/kit/files/did-you-mean.ts';
import { KEY_NAMES } from '../../../suites/kit/model/exchange.ts';
import { childPointer } from '../../../suites/kit/reading/json.ts';
import type { CheckFlags, HeaderSource } from '../options/check-flags.ts';
import type { SecretName, SecretReference, SecretSource } from '../options/read-secret.ts';
import { UsageError } from '../terminal/exit.ts';
import type { Configuration, Settings } from './configuration-schema.ts';
import { findConfiguration } from './find-configuration.ts';
import { loadConfiguration, shownPath } from './load-configuration.ts';
import { networkFlagsOf } from './network-settings.ts';

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

/** Settings at one place of a file. */
interface Layer {
  readonly settings: Settings;
  /** `chat-conformance.config.json#/targets/staging`. */
  readonly place: string;
  /** The folder of the file: its paths are relative to it. */
  readonly folder: string;
}

/**
 * Adds to the flags what the configuration says: flags first, then the target, then the top of the file.
 * @throws {UsageError | FileError} Where the file or the target cannot be used.
 */
export async function applyConfiguration(given: CheckFlags): Promise<ConfiguredFlags> {
  const { config, target } = given;
  const file = config === false ? undefined : findConfiguration(process.cwd(), config);
  if (file !== undefined) return applied(given, layersOf(await loadConfiguration(file), file, target));
  if (target === undefined) return { flags: given, origins: {} };
  throw new UsageError(
    `--target ${target}: there is no configuration file here or above; see chat-conformance init`,
  );
}

/** The nearest first. */
function layersOf(configuration: Configuration, file: string, target: string | undefined): readonly Layer[] {
  const { $schema: _schema, targets = {}, ...top } = configuration;
  const shown = shownPath(file);
  const folder = dirname(file);
  const whole: Layer = { settings: top, place: `${shown}#`, folder };
  if (target === undefined) return [whole];
  const settings = Object.hasOwn(targets, target) ? targets[target] : undefined;
  if (settings !== undefined)
    return [{ settings, place: `${shown}#${childPointer('/targets', target)}`, folder }, whole];
  const names = Object.keys(targets);
  const known = names.length === 0 ? 'it names none' : `its targets are ${names.join(', ')}`;
  const hint = didYouMean(target, names) || `: ${known}`;
  throw new UsageError(`${shown} has no target "${target}"${hint}`);
}

function applied(given: CheckFlags, layers: readonly Layer[]): ConfiguredFlags {
  const origins = Object.fromEntries(
    SETTING_PLACES.flatMap(([name, at]) => {
      if (given[name] !== undefined) return [];
      const layer = layers.find((each) => flagsOf(each)[name] !== undefined);
      return layer === undefined ? [] : [[name, layer.place + at]];
    }),
  );
  const [nearest = {}, whole = {}] = layers.map(flagsOf);
  const flags: CheckFlags = {
    ...whole,
    ...nearest,
    ...given,
    secrets: { ...whole.secrets, ...nearest.secrets },
    headers: [...(whole.headers ?? []), ...(nearest.headers ?? [])],
    places: origins,
    folder: layers[0]?.folder ?? process.cwd(),
    given,
  };
  return { flags, origins };
}

/** The settings of one place as flags. */
function flagsOf({ settings, place, folder }: Layer): CheckFlags {
  const { caps = {}, profile, baseline, report, watch, ...others } = settings;
  const { keys: _keys, controlToken: _token, headers: _headers, tls: _tls, ...rest } = others;
  const { proxy: _proxy, proxyAuth: _auth, noProxy: _noProxy, pace: _pace, ...same } = rest;
  const { requests, completions, outputTokens } = caps;
  const inFolder = (path: string): string => shownPath(resolve(folder, path));
  return {
    ...same,
    ...networkFlagsOf(settings, inFolder),
    ...(requests !== undefined && { maxRequests: requests }),
    ...(completions !== undefined && { maxCompletions: completions }),
    ...(outputTokens !== undefined && { maxOutputTokens: outputTokens }),
    ...(profile !== undefined && { profile: inFolder(profile) }),
    ...(baseline !== undefined && { baseline: inFolder(baseline) }),
    ...(report !== undefined && { report: inFolder(report) }),
    ...(watch !== undefined && { watchPaths: watch.map(inFolder) }),
    ...secretFlags(settings, (from, at) => secretAt(from, `${place}${at}`, inFolder), place),
  };
}

/** Where the secrets of one place are, and its headers. */
function secretFlags(
  { keys, controlToken, proxyAuth, tls, headers = {} }: Settings,
  source: (from: SecretReference, at: string) => SecretSource,
  place: string,
): Pick<CheckFlags, 'secrets' | 'headers'> {
  const found = [
    ...KEY_NAMES.map((name) => [name, keys?.[name], `/keys/${name}`] as const),
    ['control', controlToken, '/controlToken'] as const,
    ['proxyAuth', proxyAuth, '/proxyAuth'] as const,
    ['certPassphrase', tls?.passphrase, '/tls/passphrase'] as const,
  ];
  const secrets: Partial<Record<SecretName, SecretSource>> = {};
  for (const [name, from, at] of found) if (from !== undefined) secrets[name] = source(from, at);
  return {
    secrets,
    headers: Object.entries(headers).map(([name, value]): HeaderSource => {
      const at = childPointer('/headers', name);
      return {
        name: name.toLowerCase(),
        value: typeof value === 'string' ? value : source(value, at),
        said: `${place}${at}`,
      };
    }),
  };
}

function secretAt(from: SecretReference, place: string, inFolder: (path: string) => string): SecretSource {
  if ('env' in from) return { from, said: `${from.env} (${place})` };
  const file = inFolder(from.file);
  return { from: { file }, said: `${file} (${place})` };
}
