import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename } from 'node:path';

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
