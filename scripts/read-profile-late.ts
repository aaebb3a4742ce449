import { createRequire } from 'node:module';
import { extname } from 'node:path';

const load = createRequire(import.meta.url);

type Reader = typeof import('../suites/kit/profile-file/read-profile.ts');

/**
 * Reads and checks a profile.
 * @throws {FileError} At the first problem.
 */
export const readProfile: Reader['readProfile'] = (file) => {
  // What it is checked with takes as long to load as all the rest, and most callers have no profile.
  const reader: Reader = load(`../suites/kit/profile-file/read-profile${extname(import.meta.url)}`);
  return reader.readProfile(file);
};
