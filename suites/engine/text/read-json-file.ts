import { readFileSync, type Stats, statSync } from 'node:fs';
import type { z } from 'zod';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { childPointer } from '../reading/json.ts';
import { printable } from './printable.ts';

/**
 * Reads and checks a JSON file; messages call it `what`, such as `profile`.
 * @throws {FileError} At the first problem.
 */
export function readJsonFile<T>(file: string, what: string, schema: z.ZodType<T>): T {
  const text = inFile(
    () => readText(file),
    (error) => `cannot read the ${what} ${file} (${errorCode(error)})`,
  );
  const value: unknown = inFile(
    () => JSON.parse(text),
    () => `${file} is not JSON`,
  );
  return validated(value, file, what, schema);
}

/**
 * Checks a value that came from a file.
 * @throws {FileError} At the first problem.
 */
export function validated<T>(value: unknown, file: string, what: string, schema: z.ZodType<T>): T {
  // A value that a module made may throw wherever it is looked at.
  const result = inFile(
    () => schema.safeParse(value, { error: unknownField }),
    (error) => `${file} cannot be read: ${error instanceof Error ? error.message : 'it throws'}`,
  );
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw new FileError(`${file} is not a ${what}`);
  const pointer = issue.path.reduce<string>((parent, part) => childPointer(parent, String(part)), '');
  throw new FileError(`${file}#${printable(pointer, LONGEST)}: ${printable(messageOf(issue), LONGEST)}`);
}

/**
 * What is made of a file; `problem`: what to say of an error that does not say it itself.
 * @throws {FileError}
 */
export function inFile<T>(make: () => T, problem: (error: unknown) => string): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(problem(error), { cause: error });
  }
}

/**
 * What the system says of a file that can be read.
 * @throws {FileError} At once for a pipe, a device or a folder: reading could wait, or never end.
 */
export function fileStats(file: string): Stats {
  const stats = statSync(file);
  if (stats.isFile()) return stats;
  throw new FileError(`${file} is not a regular file: save its content in a file first`);
}

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The text of a file that the user names.
 * @throws {FileError} At once for what is no regular file, or too large; and whatever the system throws.
 */
export function readText(file: string): string {
  if (fileStats(file).size > MOST_BYTES) throw new FileError(`${file} is larger than 64 MiB`);
  return readFileSync(file, 'utf8');
}

/** Of a name or a message: a file may hold names of any length, and any number of them. */
const LONGEST = 500;

function unknownField(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const { shape = {} }: { readonly shape?: object } = Object(issue.inst);
  const [name = ''] = issue.keys;
  return `unknown field "${name}"${didYouMean(name, Object.keys(shape))}`;
}

/** What zod says of a union that has no message of its own. */
const UNSAID = 'Invalid input';

/** The innermost message: zod nests the issue of a name in the issue of the record. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'invalid_union' && issue.message === UNSAID) return 'must be JSON';
  return issue.message;
}

/** A file of the user that cannot be used. The message is one line: the file, the place in it, what is expected. */
export class FileError extends Error {
  override readonly name = 'FileError';

  constructor(message: string, options?: ErrorOptions) {
    super(printable(message, Infinity), options);
  }
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
