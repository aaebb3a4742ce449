import { closeSync, readFileSync } from 'node:fs';
import { entrySchema } from '../model/entry-schema.ts';
import type { Entry } from '../model/journal.ts';
import { childPointer } from '../reading/json.ts';
import { errorCode, FileError, messageOf, openFile } from '../text/read-json-file.ts';

/** A journal that cannot be read; the message is one line: the file, the line in it, and what is wrong. */
export class JournalReadError extends FileError {}

/** What the lines of a journal say, one by one, and again each time: all of them at once could be too large. */
export class JournalLines implements Iterable<Entry> {
  readonly file: string;
  /** Whether the run was killed while it wrote its last line. */
  readonly isTruncated: boolean;
  readonly #bytes: Buffer;

  /** @throws {JournalReadError} Given no regular file, or one that is not to be read. */
  constructor(file: string) {
    const bytes = bytesOf(file);
    const end = bytes.lastIndexOf(0x0a) + 1;
    const last = bytes.toString('utf8', end);
    this.file = file;
    this.isTruncated = last !== '' && parsed(last) === undefined;
    this.#bytes = this.isTruncated ? bytes.subarray(0, end) : bytes;
  }

  /** @throws {JournalReadError} At the first line that is damaged. */
  *[Symbol.iterator](): Generator<Entry> {
    const bytes = this.#bytes;
    for (let [from, number] = [0, 1]; from < bytes.length; number += 1) {
      const found = bytes.indexOf(0x0a, from);
      const to = found === -1 ? bytes.length : found;
      yield entryIn(bytes.toString('utf8', from, to), this.file, number);
      from = to + 1;
    }
  }
}

function bytesOf(file: string): Buffer {
  try {
    const fd = openFile(file);
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const problem =
      error instanceof FileError ? error.message : `cannot read the journal ${file} (${errorCode(error)})`;
    throw new JournalReadError(problem, { cause: error });
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function entryIn(line: string, file: string, number: number): Entry {
  const value = parsed(line);
  if (number === 1) requireVersion(value, file);
  if (value === undefined) throw new JournalReadError(`${file}:${number}: is not JSON`);
  const result = entrySchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = (issue?.path ?? []).reduce<string>((parent, part) => childPointer(parent, String(part)), '');
  throw new JournalReadError(
    `${file}:${number}#${place}: ${issue === undefined ? 'is not a line of a journal' : messageOf(issue)}`,
  );
}

function requireVersion(value: unknown, file: string): void {
  if (value === undefined) throw new JournalReadError(`${file} is not a journal: its first line is not JSON`);
  const { format, version } = { format: undefined, version: undefined, ...Object(value) };
  if (format !== 'chat-conformance/journal') throw new JournalReadError(`${file} is not a journal`);
  if (version !== 1)
    throw new JournalReadError(
      `${file} is a journal of version ${String(version)}: this release reads version 1`,
    );
}
