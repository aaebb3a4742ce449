import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK = 1024 * 1024;

/**
 * Yields the lines of a file one by one, and last what stands after the final line break, which is empty in a whole
 * file: a file that is longer than any string can be read.
 */
export function* linesOf(file: string, chunkSize = CHUNK): Generator<string> {
  const fd = openSync(file, 'r');
  try {
    const chunk = Buffer.allocUnsafe(chunkSize);
    let begun: Buffer[] = [];
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      let from = 0;
      for (let to = chunk.indexOf(0x0a); to !== -1 && to < read; to = chunk.indexOf(0x0a, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, to)]).toString();
        begun = [];
        from = to + 1;
      }
      begun.push(Buffer.from(chunk.subarray(from, read)));
    }
    yield Buffer.concat(begun).toString();
  } finally {
    closeSync(fd);
  }
}
