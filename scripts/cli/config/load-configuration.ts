import module from 'node:module';
import { extname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileError, readJsonFile, validated } from '../../../suites/kit/files/read-json-file.ts';
import { type Configuration, configurationSchema } from './configuration-schema.ts';

/** A file as messages show it. */
export function shownPath(file: string): string {
  return relative(process.cwd(), file) || '.';
}

/**
 * Reads and checks a configuration.
 * @throws {FileError} At the first problem.
 */
export async function loadConfiguration(file: string): Promise<Configuration> {
  const shown = shownPath(file);
  if (extname(file) === '.json') return readJsonFile(shown, 'configuration', configurationSchema);
  const exported = await importedDefault(file, shown);
  return validated(exported, shown, 'configuration', configurationSchema);
}

/** The package by its name, for a configuration that stands where it is not installed. */
const OWN_NAMES = new Set(['chat-conformance', 'chat-conformance/config']);

/**
 * What a module exports by default. Node itself removes the types: what needs more than removing (enum, namespace,
 * parameter properties, path aliases) is refused.
 */
async function importedDefault(file: string, shown: string): Promise<unknown> {
  const url = pathToFileURL(file).href;
  const hooks = module.registerHooks({
    resolve: (specifier, context, next) => {
      // Whatever package.json is above it: without this, Node warns of a module whose type it has to guess.
      if (specifier === url) return { ...next(specifier, context), format: formatOf(file) };
      if (!OWN_NAMES.has(specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return {
          url: new URL(`define-config${extname(import.meta.url)}`, import.meta.url).href,
          shortCircuit: true,
        };
      }
    },
  });
  try {
    const { default: exported }: { default?: unknown } = await import(url);
    if (exported === undefined)
      throw new FileError(`${shown} has no default export: export default defineConfig({ … })`);
    return exported;
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`${shown} cannot be loaded: ${firstLine(error)}`, { cause: error });
  } finally {
    hooks.deregister();
  }
}

function formatOf(file: string): string {
  return file.endsWith('ts') ? 'module-typescript' : 'module';
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n', 1)[0] ?? '';
}
