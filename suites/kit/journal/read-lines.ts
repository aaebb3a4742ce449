import { closeSync, readSync } from 'node:fs';
import { openFile } from '../files/read-json-file.ts';
import { FileError } from '../files/read-json-file.ts';

const CHUNK = 1024 * 1024;

/** In bytes. Many times what a line with the longest bodies takes. */
export const LONGEST_LINE = 32 * 1024 * 1024;

/**
 * Yields the lines of a file one by one, and last what stands after the final line break, which is empty in a whole
 * file: a file that is longer than any string can be read.
 * @throws {FileError} Given no regular file, or one with a line that is too long.
 */
export function* linesOf(file: string, chunkSize = CHUNK): Generator<string> {
  const fd = openFile(file);
  try {
    // Holds the line that is being read, and is used again for the next: a large journal would leave much behind.
    let buffer = Buffer.allocUnsafe(chunkSize);
    let [begun, filled] = [0, 0];
    for (;;) {
      if (filled === buffer.length) {
        if (begun === 0 && filled >= LONGEST_LINE)
          throw new FileError(`${file} has a line of more than 32 MB: no journal has`);
        if (begun === 0) buffer = Buffer.concat([buffer], 2 * buffer.length);
        else buffer.copyWithin(0, begun, filled);
        filled -= begun;
        begun = 0;
      }
      const searched = filled;
      const read = readSync(fd, buffer, filled, buffer.length - filled, null);
      if (read === 0) break;
      filled += read;
      for (let to = breakIn(buffer, searched, filled); to !== -1; to = breakIn(buffer, begun, filled)) {
        yield buffer.toString('utf8', begun, to);
        begun = to + 1;
      }
    }
    yield buffer.toString('utf8', begun, filled);
  } finally {
    closeSync(fd);
  }
}

function breakIn(buffer: Buffer, from: number, to: number): number {
  const found = buffer.subarray(from, to).indexOf(0x0a);
  return found === -1 ? -1 : from + found;
}
