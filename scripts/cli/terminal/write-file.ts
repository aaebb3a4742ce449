import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../../suites/engine/text/read-json-file.ts';
import { noteLine, UsageError } from './terminal.ts';

/** What is written holds prompts, which no other user of the machine is to read. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Writes a file atomically: a reader sees the whole file or none. */
export function writeWhole(file: string, text: string): void {
  const unfinished = madeBeside(file);
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Likewise, also where its folder is missing, and says so. */
export function saveFile(file: string, text: string): void {
  prepareFile(file);
  writeWhole(file, text);
  noteLine(`Written: ${file}`);
}

/** Makes an empty file beside a file, under a name that nobody can foresee: made exclusively, it follows no link. */
function madeBeside(file: string): string {
  const fresh = `${file}.${randomUUID()}.tmp`;
  writeFileSync(fresh, '', { flag: 'wx', mode: PRIVATE_FILE });
  return fresh;
}

/**
 * Finds out by writing beside it whether a file can be written; makes its folder. `place`: what else an error names.
 * @throws {UsageError} When it cannot.
 */
export function prepareFile(file: string, place = file): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new UsageError(`${file} is a folder`);
    rmSync(madeBeside(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write ${place} (${errorCode(error)})`);
  }
}
