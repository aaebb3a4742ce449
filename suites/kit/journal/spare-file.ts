import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file without a name, made when it is first needed: it is gone when this process ends, however that is. */
export class SpareFile {
  #fd: number | undefined;
  #length = 0;

  /** Returns what reads the text again; undefined when it cannot be written. */
  write(text: string): (() => string) | undefined {
    const bytes = Buffer.from(text);
    const at = this.#length;
    try {
      const fd = (this.#fd ??= openedNameless());
      for (let written = 0; written < bytes.length;)
        written += writeSync(fd, bytes, written, bytes.length - written, at + written);
      this.#length += bytes.length;
      return () => bytesAt(fd, at, bytes.length).toString();
    } catch {
      return undefined;
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

function openedNameless(): number {
  const file = join(tmpdir(), `chat-conformance-${crypto.randomUUID()}`);
  const fd = openSync(file, 'wx+', 0o600);
  unlinkSync(file);
  return fd;
}

/** Used for one reading after the other, which would leave much behind. */
let scratch = Buffer.alloc(0);

/** Bytes in an open file, by their place: they change with the next call. */
export function bytesAt(fd: number, at: number, length: number): Buffer {
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(length);
  for (let read = 0; read < length;) {
    const more = readSync(fd, scratch, read, length - read, at + read);
    if (more === 0) throw new RangeError('the file is shorter than it was');
    read += more;
  }
  return scratch.subarray(0, length);
}
