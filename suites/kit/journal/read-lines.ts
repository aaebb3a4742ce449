import { closeSync, openSync, readSync } from 'node:fs';
import { readAt } from './spare-file.ts';

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
    const chunk = Buffer.allocUnsafe(chunkSize);
    let begun: Buffer[] = [];
    let at = 0;
    const lineTo = (end: Buffer): Line => {
      const bytes = begun.length === 0 ? end : Buffer.concat([...begun, end]);
      return { text: bytes.toString(), at, length: bytes.length };
    };
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      let from = 0;
      for (let to = chunk.indexOf(0x0a); to !== -1 && to < read; to = chunk.indexOf(0x0a, from)) {
        const line = lineTo(chunk.subarray(from, to));
        yield line;
        at += line.length + 1;
        begun = [];
        from = to + 1;
      }
      begun.push(Buffer.from(chunk.subarray(from, read)));
    }
    yield lineTo(Buffer.alloc(0));
  } finally {
    closeSync(fd);
  }
}

/** The text of a line that was read before. */
export function lineAgain(file: string, { at, length }: Pick<Line, 'at' | 'length'>): string {
  const fd = openSync(file, 'r');
  try {
    return readAt(fd, at, length).toString();
  } finally {
    closeSync(fd);
  }
}
