import { dirname, resolve } from 'node:path';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { childPointer, valueAt } from '../../../suites/engine/reading/json.ts';
import { shownPath } from '../modules/import-module.ts';
import { type CheckFlags, CHECK_OPTIONS } from '../options/check-table.ts';
import { settingRows } from '../options/option.ts';
import { UsageError } from '../terminal/exit.ts';
import type { ConfiguredFlags } from './apply-configuration.ts';
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
  const found = layers.toReversed().map(settingsIn);
  const configured = found.map((each): CheckFlags =>
    Object.fromEntries(each.map(({ name, value }) => [name, value])),
  );
  const all = [...configured, given];
  const flags: CheckFlags = {
    ...Object.assign({}, ...all),
    header: all.flatMap(({ header = [] }) => header),
    folder: layers[0]?.folder ?? process.cwd(),
    given,
  };
  const added = found.flat().filter(({ name }) => !Object.hasOwn(given, name));
  return { flags, origins: Object.fromEntries(added.map(({ name, place }) => [name, place])) };
}

/** A setting as the value of its option. */
interface Found {
  readonly name: string;
  readonly value: unknown;
  readonly place: string;
}

function settingsIn({ settings, place: at, folder }: Layer): readonly Found[] {
  const inFolder = (path: string): string => shownPath(resolve(folder, path));
  return settingRows(CHECK_OPTIONS).flatMap(([name, { setting, kind }]) => {
    const pointer = `/${setting.replace('.', '/')}`;
    const value = valueAt(settings, pointer);
    if (value === undefined) return [];
    const place = at + pointer;
    return [{ name, value: kind.ofSetting?.(value, { place, inFolder }) ?? value, place }];
  });
}
