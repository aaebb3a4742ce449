import module from 'node:module';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asError } from '../../../suites/engine/model/ruling.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { errorCode, FileError, fileStats, inFile } from '../../../suites/engine/text/read-json-file.ts';
import { ownModule } from '../terminal/own-package.ts';

/** A file as messages show it. */
export function shownPath(file: string): string {
  return relative(process.cwd(), file) || '.';
}

/** What a module of the user imports of this package, installed beside it or not: a check and its engine must agree. */
const OWN_NAMES: Readonly<Record<string, URL>> = {
  'chat-conformance': ownModule('index'),
  'chat-conformance/checks': ownModule('checks'),
  'chat-conformance/config': ownModule('cli/config/define-config'),
};

/**
 * What a module of the user exports; anew after each change of its file. Node itself removes the types: what needs more
 * than removing (enum, namespace, parameter properties, path aliases) is refused.
 */
export async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  const shown = shownPath(file);
  const changed = inFile(
    () => fileStats(shown).mtimeMs,
    (error) => `cannot read ${shown} (${errorCode(error)})`,
  );
  const url = `${pathToFileURL(file).href}?changed=${changed}`;
  const format = file.endsWith('ts') ? 'module-typescript' : 'module';
  const hooks = module.registerHooks({
    resolve: (specifier, context, next) => {
      // Whatever package.json is above it: without this, Node warns of a module whose type it has to guess.
      if (specifier === url) return { ...next(specifier, context), format };
      const own = OWN_NAMES[specifier];
      return own === undefined ? next(specifier, context) : { url: own.href, shortCircuit: true };
    },
  });
  try {
    const exported: Readonly<Record<string, unknown>> = await import(url);
    return exported;
  } catch (error) {
    throw new FileError(`${shown} cannot be loaded: ${firstLine(error)}`, { cause: error });
  } finally {
    hooks.deregister();
  }
}

/** What a module of the user threw, in a line. */
export function firstLine(error: unknown): string {
  return printable(asError(error).message.trim().split('\n', 1)[0] ?? '');
}
