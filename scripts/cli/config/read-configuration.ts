import { dirname, extname, resolve } from 'node:path';
import { types } from 'node:util';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { childPointer, valueAt } from '../../../suites/engine/reading/json.ts';
import { FileError, readJsonFile, validated } from '../../../suites/engine/text/read-json-file.ts';
import { importModule, shownPath } from '../modules/import-module.ts';
import { ABOUT_SERVICE, type CheckFlags, CHECK_OPTIONS } from '../options/check-table.ts';
import { settingRows } from '../options/option.ts';
import { UsageError } from '../terminal/exit.ts';
import { type Configuration, configurationSchema, type Settings } from './configuration-schema.ts';
import type { Configured, Found } from './resolve-flags.ts';

/**
 * What a configuration file adds to the given flags.
 * @throws {UsageError | FileError} Where the file or the target cannot be used.
 */
export async function readConfiguration(file: string, given: CheckFlags): Promise<Configured> {
  const shown = shownPath(file);
  const folder = dirname(file);
  const configuration = await checkedConfiguration(file, shown);
  const { targets = {}, ...top } = configuration;
  const names = Object.keys(targets);
  const whole = settingsIn(top, `${shown}#`, folder);
  const settings = whole.filter(
    ({ name }) => given.mock !== true || (name !== 'baseUrl' && !(name in ABOUT_SERVICE)),
  );
  const target = targetOf(given, configuration);
  if (target === undefined) return { settings, targets: names, folder };
  const own = Object.hasOwn(targets, target) ? targets[target] : undefined;
  if (own === undefined) {
    const known = names.length === 0 ? 'it names none' : `its targets are ${names.join(', ')}`;
    const has = target === configuration.default ? '#/default: there is' : ' has';
    throw new UsageError(`${shown}${has} no target "${target}"${didYouMean(target, names) || `: ${known}`}`);
  }
  const place = `${shown}#${childPointer('/targets', target)}`;
  const named = { name: 'target', value: target, from: place };
  return { settings: [...settings, ...settingsIn(own, place, folder), named], place, targets: names, folder };
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

/** The settings at a place of the file, as values of their options; paths are relative to its folder. */
function settingsIn(settings: Settings, at: string, folder: string): readonly Found[] {
  const inFolder = (path: string): string => shownPath(resolve(folder, path));
  return settingRows(CHECK_OPTIONS).flatMap(({ name, place, kind }) => {
    const pointer = `/${place.replace('.', '/')}`;
    const value = valueAt(settings, pointer);
    if (value === undefined) return [];
    const from = at + pointer;
    return [{ name, value: kind.ofSetting?.(value, { place: from, inFolder }) ?? value, from }];
  });
}

/** @throws {FileError} At the first problem. */
async function checkedConfiguration(file: string, shown: string): Promise<Configuration> {
  if (extname(file) === '.json') return readJsonFile(shown, 'configuration', configurationSchema);
  const { default: exported } = await importModule(file);
  const problem =
    exported === undefined
      ? 'has no default export: export default defineConfig({ … })'
      : 'exports a promise: write export default await …';
  if (exported === undefined || types.isPromise(exported)) throw new FileError(`${shown} ${problem}`);
  return validated(exported, shown, 'configuration', configurationSchema);
}
