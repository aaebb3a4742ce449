import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { errorCode } from '../../../suites/kit/files/read-json-file.ts';
import { UsageError } from './exit.ts';

/** Writes a file atomically, in one text or many: a reader sees the whole file or none. */
export function writeWhole(file: string, text: string | Iterable<string>): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    if (typeof text === 'string') writeFileSync(unfinished, text);
    else writeAll(unfinished, text);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function writeAll(file: string, texts: Iterable<string>): void {
  const fd = openSync(file, 'w');
  try {
    for (const text of texts) writeFileSync(fd, text);
  } finally {
    closeSync(fd);
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
