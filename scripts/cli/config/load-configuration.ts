import { extname } from 'node:path';
import { types } from 'node:util';
import { FileError, readJsonFile, validated } from '../../../suites/engine/text/read-json-file.ts';
import { importModule, type OwnNames, shownPath } from '../modules/import-module.ts';
import { ownModule } from '../terminal/own-package.ts';
import { type Configuration, configurationSchema } from './configuration-schema.ts';

/**
 * Reads and checks a configuration.
 * @throws {FileError} At the first problem.
 */
export async function loadConfiguration(file: string): Promise<Configuration> {
  const shown = shownPath(file);
  if (extname(file) === '.json') return readJsonFile(shown, 'configuration', configurationSchema);
  const { default: exported } = await importModule(file, OWN_NAMES);
  if (exported === undefined)
    throw new FileError(`${shown} has no default export: export default defineConfig({ … })`);
  if (types.isPromise(exported))
    throw new FileError(`${shown} exports a promise: write export default await …`);
  return validated(exported, shown, 'configuration', configurationSchema);
}

const DEFINE_CONFIG = ownModule('cli/config/define-config').href;

/** The package by its name, for a configuration that stands where it is not installed. */
const OWN_NAMES: OwnNames = {
  files: { 'chat-conformance': DEFINE_CONFIG, 'chat-conformance/config': DEFINE_CONFIG },
  always: false,
};
