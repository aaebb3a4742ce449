import { readFileSync } from 'node:fs';
import type { Keys } from '../../../suites/kit/model/run.ts';
import { UsageError } from '../terminal/usage-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Nothing else can stand in a header of the Bearer scheme; a shorter one could not be told from other words. */
const KEY = /^[\u0021-\u007e]{8,}$/;

function legalKey(key: string, source: string): string {
  if (KEY.test(key)) return key;
  throw new UsageError(`${source} must hold one key: at least 8 printable ASCII characters, without spaces`);
}

/** A key, or another secret of the Bearer scheme. Throws a UsageError for one that no header can carry. */
export function fromEnvironment(name: string, environment: Environment): string | undefined {
  const value = environment[name]?.trim();
  return value === undefined || value === '' ? undefined : legalKey(value, name);
}

function fromFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new UsageError(`cannot read --api-key-file ${file}`);
  }
}

/**
 * The keys of a target. The file, when there is one, holds the primary key and wins over CHAT_API_KEY.
 * @throws {UsageError} Given no primary key, or one that no header can carry; the message never shows it.
 */
export function readKeys(environment: Environment, file: string | undefined): Keys {
  const primary =
    file === undefined
      ? fromEnvironment('CHAT_API_KEY', environment)
      : legalKey(fromFile(file), `--api-key-file ${file}`);
  const second = fromEnvironment('CHAT_SECOND_API_KEY', environment);
  const unscoped = fromEnvironment('CHAT_UNSCOPED_API_KEY', environment);
  if (primary === undefined) {
    throw new UsageError(
      'a key is needed: set CHAT_API_KEY, or name a file that holds it with --api-key-file',
    );
  }
  return { primary, ...(second !== undefined && { second }), ...(unscoped !== undefined && { unscoped }) };
}
