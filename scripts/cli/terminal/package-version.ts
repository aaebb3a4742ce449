import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version of this package, whether this file is source or compiled. */
export function packageVersion(): string {
  const file = findPackageJSON('..', import.meta.url);
  if (file === undefined) throw new Error('package.json is missing');
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
}
