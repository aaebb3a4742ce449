import { dirname, resolve } from 'node:path';
import { didYouMean } from '../../../suites/kit/files/did-you-mean.ts';
import { KEY_NAMES } from '../../../suites/kit/model/exchange.ts';
import { childPointer } from '../../../suites/kit/reading/json.ts';
import { shownPath } from '../modules/import-module.ts';
import type { CheckFlags, HeaderSource } from '../options/check-flags.ts';
import type { SecretName, SecretReference, SecretSource } from '../options/read-secret.ts';
import { UsageError } from '../terminal/exit.ts';
import { type ConfiguredFlags, SETTING_PLACES } from './apply-configuration.ts';
import type { Configuration, Settings } from './configuration-schema.ts';
import { loadConfiguration } from './load-configuration.ts';
import { networkFlagsOf } from './network-settings.ts';

/** Settings at one place of a file. */
interface Layer {
  readonly settings: Settings;
  /** `chat-conformance.config.json#/targets/staging`. */
  readonly place: string;
  /** The folder of the file: its paths are relative to it. */
  readonly folder: string;
}

/**
 * The flags with what a configuration file adds.
 * @throws {UsageError | FileError} Where the file or the target cannot be used.
 */
export async function configuredFlags(given: CheckFlags, file: string): Promise<ConfiguredFlags> {
  const configuration = await loadConfiguration(file);
  const target = targetOf(given, configuration);
  const layers = layersOf(given.mock === true ? aboutNoService(configuration) : configuration, file, target);
  const [{ place }] = layers;
  const { flags, origins } = applied(given, layers);
  const places = { ...origins, ...(target !== undefined && { target: place }) };
  const targets = Object.keys(configuration.targets ?? {});
  return { flags: { ...flags, ...(target !== undefined && { target }), places, targets }, origins };
}

/** The target that is meant: the named one, or else the default, or the only one. A base URL names none of them. */
function targetOf(
  { target, baseUrl, mock }: CheckFlags,
  { default: usual, baseUrl: topBaseUrl, targets = {} }: Configuration,
): string | undefined {
  if ((target ?? baseUrl) !== undefined || mock === true) return target;
  const [only, ...others] = Object.keys(targets);
  return usual ?? (topBaseUrl === undefined && others.length === 0 ? only : undefined);
}

/** What holds of a run of the mock too. */
function aboutNoService(configuration: Configuration): Configuration {
  const { baseUrl: _url, controlUrl: _control, start: _start, wait: _wait, ...ours } = configuration;
  const { proxy: _proxy, noProxy: _none, tls: _tls, http2: _http2, ...others } = ours;
  return others;
}

/** The nearest first. */
function layersOf(
  configuration: Configuration,
  file: string,
  target: string | undefined,
): readonly [Layer, ...Layer[]] {
  const { $schema: _schema, default: _default, targets = {}, ...top } = configuration;
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
  const has = target === configuration.default ? '#/default: there is' : ' has';
  throw new UsageError(`${shown}${has} no target "${target}"${hint}`);
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
    folder: layers[0]?.folder ?? process.cwd(),
    given,
  };
  return { flags, origins };
}

/** The settings of one place as flags. */
function flagsOf({ settings, place, folder }: Layer): CheckFlags {
  const { caps = {}, profile, baseline, checks, report, watch, ...others } = settings;
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
    ...(checks !== undefined && { checks: inFolder(checks) }),
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
