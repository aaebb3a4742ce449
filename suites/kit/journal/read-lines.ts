import { closeSync, openSync, readSync } from 'node:fs';
import { textAt } from './spare-file.ts';

const CHUNK = 1024 * 1024;

/** A line of a file, without its line break. */
export interface Line {
  readonly text: string;
  /** Where it begins, in bytes. */
  readonly at: number;
  /** In bytes. */
  readonly length: number;
}

/**
 * Yields the lines of a file one by one, and last what stands after the final line break, which is empty in a whole
 * file: a file that is longer than any string can be read.
 */
export function* linesOf(file: string, chunkSize = CHUNK): Generator<Line> {
  const fd = openSync(file, 'r');
  try {
    // Holds the line that is being read, and is used again for the next: a large journal would leave much behind.
    let buffer = Buffer.allocUnsafe(chunkSize);
    let [at, begun, filled] = [0, 0, 0];
    for (;;) {
      if (filled === buffer.length) {
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
        const length = to - begun;
        yield { text: buffer.toString('utf8', begun, to), at, length };
        at += length + 1;
        begun = to + 1;
      }
    }
    yield { text: buffer.toString('utf8', begun, filled), at, length: filled - begun };
  } finally {
    closeSync(fd);
  }
}

function breakIn(buffer: Buffer, from: number, to: number): number {
  const found = buffer.subarray(from, to).indexOf(0x0a);
  return found === -1 ? -1 : from + found;
}

/** The text of a line that was read before. */
export function lineAgain(file: string, { at, length }: Pick<Line, 'at' | 'length'>): string {
  const fd = openSync(file, 'r');
  try {
    return textAt(fd, at, length);
  } finally {
    closeSync(fd);
  }
}
