import { errorCode, FileError, messageOf } from '../files/read-json-file.ts';
import { entrySchema } from '../model/entry-schema.ts';
import type { Entry } from '../model/journal.ts';
import { childPointer } from '../reading/json.ts';
import { linesOf } from './read-lines.ts';

/** A journal that cannot be read; the message is one line: the file, the line in it, and what is wrong. */
export class JournalReadError extends Error {
  override readonly name = 'JournalReadError';
}

/** What the lines of a journal say, one by one, and again each time. */
export class JournalLines implements Iterable<Entry> {
  readonly file: string;
  /** Whether the run was killed while it wrote its last line: known once every line was read. */
  isTruncated = false;

  constructor(file: string) {
    this.file = file;
  }

  /** @throws {JournalReadError} At the first line that is damaged. Only the last one may be truncated. */
  *[Symbol.iterator](): Generator<Entry> {
    const { file } = this;
    let number = 0;
    let pending: string | undefined;
    for (const line of readableLines(file)) {
      if (pending !== undefined) yield entryIn(pending, file, (number += 1));
      pending = line;
    }
    // What stands after the last line break: nothing, or a line that the end of the run cut off.
    if (pending === undefined || pending === '') return;
    this.isTruncated = parse(pending) === undefined;
    if (!this.isTruncated) yield entryIn(pending, file, number + 1);
  }
}

function* readableLines(file: string): Generator<string> {
  try {
    yield* linesOf(file);
  } catch (error) {
    const problem =
      error instanceof FileError ? error.message : `cannot read the journal ${file} (${errorCode(error)})`;
    throw new JournalReadError(problem, { cause: error });
  }
}

function parse(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return undefined;
  }
}

function jsonOf(line: string, file: string, number: number): unknown {
  const json = parse(line);
  if (json !== undefined) return json.value;
  throw new JournalReadError(
    number === 1 ? `${file} is not a journal: its first line is not JSON` : `${file}:${number}: is not JSON`,
  );
}

function entryIn(line: string, file: string, number: number): Entry {
  const value = jsonOf(line, file, number);
  if (number === 1) requireVersion(value, file);
  const result = entrySchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = (issue?.path ?? []).reduce<string>((parent, part) => childPointer(parent, String(part)), '');
  throw new JournalReadError(
    `${file}:${number}#${place}: ${issue === undefined ? 'is not a line of a journal' : messageOf(issue)}`,
  );
}

function requireVersion(value: unknown, file: string): void {
  const { format, version } = { format: undefined, version: undefined, ...Object(value) };
  if (format !== 'chat-conformance/journal') throw new JournalReadError(`${file} is not a journal`);
  if (version !== 1)
    throw new JournalReadError(
      `${file} is a journal of version ${String(version)}: this release reads version 1`,
    );
}
