import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { childPointer } from '../reading/json.ts';

/**
 * Reads and checks a JSON file; messages call it `what`, such as `profile`.
 * @throws {FileError} At the first problem.
 */
export function readJsonFile<T>(file: string, what: string, schema: z.ZodType<T>): T {
  return validated(parsed(file, what), file, what, schema);
}

/**
 * Checks a value that came from a file.
 * @throws {FileError} At the first problem.
 */
export function validated<T>(value: unknown, file: string, what: string, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new FileError(
    issue ? `${file}#${pointerTo(issue.path)}: ${messageOf(issue)}` : `${file} is not a ${what}`,
  );
}

function parsed(file: string, what: string): unknown {
  const text = textOf(file, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileError(`${file} is not JSON`, { cause: error });
  }
}

function textOf(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new FileError(`cannot read the ${what} ${file} (${errorCode(error)})`, { cause: error });
  }
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.reduce<string>((parent, part) => childPointer(parent, String(part)), '');
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
}

/** The code of a system error, such as ENOENT. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
