import { readFileSync } from 'node:fs';
import { entrySchema, type Entry } from '../model/entry-schema.ts';
import { jsonOfText } from '../reading/json.ts';
import { errorCode, FileError, fileStats, inFile, validated } from '../text/read-json-file.ts';
import { type Recording, recordingOf } from './recording.ts';

/**
 * Reads a run from its journal, whether it finished or was killed.
 * @throws {FileError} Given a file that is not a journal, or is damaged other than by a truncated last line.
 */
export function readJournal(file: string): Recording {
  return recordingOf(new JournalLines(file), file);
}

/** The entries of a journal, one by one, and again each time: all of them at once could be too large. */
export class JournalLines implements Iterable<Entry> {
  readonly file: string;
  /** Whether the run was killed while it wrote its last line. */
  readonly isTruncated: boolean;
  readonly #bytes: Buffer;

  /** @throws {FileError} Given no regular file, or one that is not to be read. */
  constructor(file: string) {
    const bytes = bytesOf(file);
    const end = bytes.lastIndexOf('\n') + 1;
    this.file = file;
    this.isTruncated = end < bytes.length && jsonOfText(bytes.toString('utf8', end)) === undefined;
    this.#bytes = this.isTruncated ? bytes.subarray(0, end) : bytes;
  }

  /** @throws {FileError} At the first line that is damaged. */
  *[Symbol.iterator](): Generator<Entry> {
    const bytes = this.#bytes;
    for (let from = 0, number = 1; from < bytes.length; number += 1) {
      const end = bytes.indexOf('\n', from);
      const to = end === -1 ? bytes.length : end;
      yield entryIn(bytes.toString('utf8', from, to), this.file, number);
      from = to + 1;
    }
  }
}

function bytesOf(file: string): Buffer {
  return inFile(
    () => {
      fileStats(file);
      return readFileSync(file);
    },
    (error) => `cannot read the journal ${file} (${errorCode(error)})`,
  );
}

function entryIn(line: string, file: string, number: number): Entry {
  const value = jsonOfText(line);
  if (number === 1) requireVersion(value, file);
  if (value === undefined) throw new FileError(`${file}:${number}: is not JSON`);
  return validated(value, `${file}:${number}`, 'line of a journal', entrySchema);
}

function requireVersion(value: unknown, file: string): void {
  if (value === undefined) throw new FileError(`${file} is not a journal: its first line is not JSON`);
  const { format, version } = { format: undefined, version: undefined, ...Object(value) };
  if (format !== 'chat-conformance/journal') throw new FileError(`${file} is not a journal`);
  if (version !== 1)
    throw new FileError(`${file} is a journal of version ${String(version)}: this release reads version 1`);
}
