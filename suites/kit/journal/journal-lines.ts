import { errorCode, FileError, messageOf } from '../files/read-json-file.ts';
import { entrySchema } from '../model/entry-schema.ts';
import type { Entry, WrittenEntry, WrittenLine } from '../model/journal.ts';
import { childPointer } from '../reading/json.ts';
import { writtenEntry } from './cut-line.ts';
import { type Line, lineAgain, linesOf } from './read-lines.ts';

/** A journal that cannot be read; the message is one line: the file, the line in it, and what is wrong. */
export class JournalReadError extends Error {
  override readonly name = 'JournalReadError';
}

/** A line of a journal, and what it says. */
export interface JournalLine {
  /** Reads it again, and is small: it is held for long. */
  readonly line: WrittenLine;
  /** Without the body, where it is large. */
  readonly entry: Entry;
  /** With it. */
  readonly whole: () => Entry;
}

/** A line that stands in no file. */
export function lineOf(entry: Entry): JournalLine {
  return { entry, line: { read: () => ({ entry }) }, whole: () => entry };
}

/** The lines of a journal, which are read one by one, and again each time: no more than one is in memory. */
export class JournalLines implements Iterable<JournalLine> {
  readonly file: string;
  /** Whether the run was killed while it wrote its last line: known once every line was read. */
  isTruncated = false;

  constructor(file: string) {
    this.file = file;
  }

  /** @throws {JournalReadError} At the first line that is damaged. Only the last one may be truncated. */
  *[Symbol.iterator](): Generator<JournalLine> {
    const { file } = this;
    let number = 0;
    let pending: Line | undefined;
    for (const line of readableLines(file)) {
      if (pending !== undefined) yield journalLine(pending, file, (number += 1));
      pending = line;
    }
    // What stands after the last line break: nothing, or a line that the end of the run cut off.
    if (pending === undefined || pending.text === '') return;
    this.isTruncated = parse(pending.text) === undefined;
    if (!this.isTruncated) yield journalLine(pending, file, number + 1);
  }
}

function journalLine({ text, isCut, ...place }: Line, file: string, number: number): JournalLine {
  const entry = entryOf(jsonOf(text, file, number), file, number);
  return {
    entry,
    line: new PlacedLine(file, place),
    whole: () => (isCut ? lineAgain(file, place, parsed) : entry),
  };
}

/** A line by its place. A class, since a closure for each line takes several times as much. */
class PlacedLine implements WrittenLine {
  readonly #file: string;
  readonly #at: number;
  readonly #length: number;

  constructor(file: string, { at, length }: Pick<Line, 'at' | 'length'>) {
    this.#file = file;
    this.#at = at;
    this.#length = length;
  }

  read(): WrittenEntry {
    return lineAgain(this.#file, { at: this.#at, length: this.#length }, writtenEntry);
  }
}

function parsed(bytes: Buffer): Entry {
  return JSON.parse(bytes.toString());
}

function* readableLines(file: string): Generator<Line> {
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

function entryOf(value: unknown, file: string, number: number): Entry {
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
