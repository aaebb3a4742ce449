import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { FileError } from './read-json-file.ts';

/**
 * Opens a file for reading.
 * @throws {FileError} At once for a pipe, a device or a folder: reading could wait, or never end.
 */
export function openFile(file: string): number {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new FileError(`${file} is not a regular file: save what it gives in one`);
}
