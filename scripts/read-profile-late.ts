import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ownModule } from './cli/terminal/own-package.ts';

const load = createRequire(import.meta.url);

type Reader = typeof import('../suites/engine/files/read-profile.ts');

/**
 * Reads and checks a profile.
 * @throws {FileError} At the first problem.
 */
export const readProfile: Reader['readProfile'] = (file) => {
  // What it is checked with takes as long to load as all the rest, and most callers have no profile.
  const reader: Reader = load(fileURLToPath(ownModule('../suites/engine/files/read-profile')));
  return reader.readProfile(file);
};
