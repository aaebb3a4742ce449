import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, relative } from 'node:path';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';

/** The version of this package, whether this file is source or built. */
export function packageVersion(): string {
  const file = findPackageJSON('..', import.meta.url);
  if (file === undefined) throw new Error('package.json is missing');
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
}

/** A module that is started or loaded by its place: the source `scripts/NAME.ts`, or what the build made of it. */
export function ownModule(name: string): URL {
  const built = import.meta.url.endsWith('.js');
  return new URL(built ? `${basename(name)}.js` : `../../${name}.ts`, import.meta.url);
}

const INSTALLED = 'node_modules/.bin/chat-conformance';

/** How the user calls this command: through the npm script of this project, through npx, by a path, or by its name. */
export function invocation(): string {
  const { npm_lifecycle_event: script } = process.env;
  if (script === 'conformance') return 'npm run conformance --';
  if (script === 'npx') return 'npx --no -- chat-conformance';
  // Some package managers put a script there, which a shell names in this variable.
  const path = [process.argv[1], process.env['_']].find((each) => each?.endsWith(INSTALLED));
  return path === undefined ? 'chat-conformance' : shellWord(relative('', path));
}
