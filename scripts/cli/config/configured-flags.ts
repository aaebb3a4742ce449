import { dirname, resolve } from 'node:path';
import type { SecretPlace } from '../../../suites/engine/model/exchange.ts';
import { childPointer, valueAt } from '../../../suites/engine/reading/json.ts';
import { didYouMean } from '../../../suites/engine/text/did-you-mean.ts';
import { shownPath } from '../modules/import-module.ts';
import type { CheckFlags, HeaderSource } from '../options/check-flags.ts';
import { SECRET_NAMES, type SecretName, type SecretSource } from '../options/read-secret.ts';
import { SECRET_OPTIONS } from '../options/target-table.ts';
import { UsageError } from '../terminal/exit.ts';
import { type ConfiguredFlags, settingRows } from './apply-configuration.ts';
import type { Configuration, Settings } from './configuration-schema.ts';
import { loadConfiguration } from './load-configuration.ts';

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
  const flagged = layers.map((layer) => ({ layer, flags: flagsOf(layer) }));
  const origins = Object.fromEntries(
    settingRows().flatMap(([name, { setting }]) => {
      if (given[name] !== undefined) return [];
      const found = flagged.find(({ flags }) => flags[name] !== undefined);
      return found === undefined ? [] : [[name, found.layer.place + pointerOf(setting)]];
    }),
  );
  const [nearest = {}, whole = {}] = flagged.map(({ flags }) => flags);
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

/** `/caps/requests`. */
function pointerOf(setting: string): string {
  return `/${setting.replace('.', '/')}`;
}

/** The settings of one place as flags. */
function flagsOf({ settings, place, folder }: Layer): CheckFlags {
  const inFolder = (path: string): string => shownPath(resolve(folder, path));
  const source = (from: SecretPlace, at: string): SecretSource => secretAt(from, place + at, inFolder);
  const flags: Record<string, unknown> = {};
  for (const [name, { setting, kind }] of settingRows()) {
    const value = valueAt(settings, pointerOf(setting));
    if (value !== undefined)
      flags[name] = kind.ofSetting === undefined ? value : kind.ofSetting(value, inFolder);
  }
  const secrets: Partial<Record<SecretName, SecretSource>> = {};
  for (const name of SECRET_NAMES) {
    const { setting } = SECRET_OPTIONS[name];
    const from = valueAt(settings, pointerOf(setting));
    if (isReference(from)) secrets[name] = source(from, pointerOf(setting));
  }
  const headers = Object.entries(settings.headers ?? {}).map(([name, value]): HeaderSource => {
    const at = childPointer('/headers', name);
    const said = `${place}${at}`;
    return {
      name: name.toLowerCase(),
      value: typeof value === 'string' ? value : source(value, at),
      said,
    };
  });
  return { ...flags, secrets, headers };
}

function isReference(value: unknown): value is SecretPlace {
  return typeof value === 'object' && value !== null && ('env' in value || 'file' in value);
}

function secretAt(from: SecretPlace, place: string, inFolder: (path: string) => string): SecretSource {
  if ('env' in from) return { from, said: `${from.env} (${place})` };
  const file = inFolder(from.file);
  return { from: { file }, said: `${file} (${place})` };
}
