import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { errorCode } from '../../../suites/kit/files/read-json-file.ts';
import { UsageError } from './exit.ts';

/** Writes a file atomically: a reader sees the whole file or none. */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * Finds out by writing beside it whether a file can be written.
 * @throws {UsageError} When it cannot.
 */
export function prepareFile(file: string): void {
  const probe = `${file}.${process.pid}.tmp`;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new UsageError(`${file} is a folder`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write ${file} (${errorCode(error)})`);
  }
}
