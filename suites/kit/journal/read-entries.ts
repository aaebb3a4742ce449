import { readFileSync } from 'node:fs';
import { childPointer } from '../reading/json.ts';
import type { Entry } from './entry.ts';
import { entrySchema } from './entry-schema.ts';
import { JournalReadError } from './journal-error.ts';
import { errorCode } from '../files/read-json-file.ts';

/** The lines of a journal. */
export interface Entries {
  readonly entries: readonly Entry[];
  /** Whether the run was ended while it wrote its last line, of which only the beginning is there. */
  readonly isTruncated: boolean;
}

/**
 * Reads every line of a journal. Only the last one may be broken off.
 * @throws {JournalReadError} At the first line that is not as it was written.
 */
export function readEntries(file: string): Entries {
  const lines = textOf(file).split('\n');
  const rest = lines.pop() ?? '';
  const entries = lines.map((line, i) => entryOf(parsed(line, file, i + 1), file, i + 1));
  if (rest === '') return { entries, isTruncated: false };
  const last = wholeJson(rest);
  if (last === undefined) return { entries, isTruncated: true };
  return { entries: [...entries, entryOf(last.value, file, lines.length + 1)], isTruncated: false };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new JournalReadError(`cannot read the journal ${file} (${errorCode(error)})`, { cause: error });
  }
}

function wholeJson(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return undefined;
  }
}

function parsed(line: string, file: string, number: number): unknown {
  const json = wholeJson(line);
  if (json !== undefined) return json.value;
  throw new JournalReadError(
    number === 1 ? `${file} is no journal: its first line is not JSON` : `${file}:${number}: is not JSON`,
  );
}

function entryOf(value: unknown, file: string, number: number): Entry {
  if (number === 1) rejectStranger(value, file);
  const result = entrySchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = (issue?.path ?? []).reduce<string>((parent, part) => childPointer(parent, String(part)), '');
  throw new JournalReadError(`${file}:${number}#${place}: ${issue?.message ?? 'is no line of a journal'}`);
}

/** What is no journal at all, or one of another version, gets a message that says so. */
function rejectStranger(value: unknown, file: string): void {
  const { format, version } = { format: undefined, version: undefined, ...Object(value) };
  if (format !== 'chat-conformance/journal') throw new JournalReadError(`${file} is no journal`);
  if (version !== 1)
    throw new JournalReadError(
      `${file} is a journal of version ${String(version)}: this release reads version 1`,
    );
}
