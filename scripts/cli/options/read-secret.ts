import { readFileSync, statSync } from 'node:fs';
import { SECRET_VARIABLES, type SecretPlaces } from '../../../suites/engine/model/exchange.ts';
import { readText } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError } from '../terminal/exit.ts';
import { type CheckFlags, SECRET_OPTIONS } from './check-table.ts';
import type { HeaderSource, SecretSource } from './secret-kinds.ts';

export type SecretName = keyof typeof SECRET_OPTIONS;

/** The keys of a target, the token of its control API, and what the way to it wants. */
export const SECRET_NAMES = Object.keys(SECRET_OPTIONS).filter(isSecretOption);

export function isSecretOption(name: string): name is SecretName {
  return Object.hasOwn(SECRET_OPTIONS, name);
}

type SecretFlags = Pick<CheckFlags, SecretName>;

/** Where a secret is read: what names it, or else the usual variable. */
export function secretSource(flags: SecretFlags, name: SecretName): SecretSource {
  const { variable } = SECRET_OPTIONS[name];
  return flags[name] ?? { from: { env: variable }, said: variable };
}

/**
 * The text of a secret; undefined where only the usual variable would hold it, and it is not set.
 * @throws {UsageError} When it is not where it should be.
 */
export function readSecret(
  flags: SecretFlags,
  name: SecretName,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const source = secretSource(flags, name);
  return flags[name] === undefined ? readReference(source, environment) : readNamed(source, environment);
}

/** @throws {UsageError} When it is not there. */
export function readNamed(source: SecretSource, environment: NodeJS.ProcessEnv): string {
  const value = readReference(source, environment);
  if (value === undefined) throw new UsageError(`${source.said} is not set`);
  return value;
}

/** What a Bearer header can carry; a shorter key could not be told from other words when it is redacted. */
const KEY = /^[\u0021-\u007e]{8,}$/;

/**
 * Likewise a key or a token.
 * @throws {UsageError} When no Bearer header can carry it, too; the message never shows it.
 */
export function readKey(...of: Parameters<typeof readSecret>): string | undefined {
  const value = readSecret(...of);
  if (value === undefined || KEY.test(value)) return value;
  const { said } = secretSource(of[0], of[1]);
  throw new UsageError(`${said} must contain one key: at least 8 printable ASCII characters, without spaces`);
}

/** Where the secrets of a run are, as its reports name them; undefined where all are in the usual variables. */
export function secretPlaces(flags: SecretFlags, headers: readonly HeaderSource[]): SecretPlaces | undefined {
  const named = [
    ...SECRET_NAMES.map((name) => [SECRET_OPTIONS[name].setting, secretSource(flags, name).from] as const),
    ...headers.flatMap(({ name, value }) =>
      typeof value === 'string' ? [] : [[`headers.${name}`, value.from] as const],
    ),
  ];
  const usual = new Set<string>(Object.values(SECRET_VARIABLES));
  const places = named.filter(([, place]) => ('env' in place ? !usual.has(place.env) : !isPipe(place.file)));
  return places.length === 0 ? undefined : Object.fromEntries(places);
}

/** A program that keeps keys hands them over in a pipe, which nobody can read again. */
function isPipe(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * What a reference leads to, without the white space around it; undefined for a variable that is unset or empty.
 * @throws {UsageError} When the file cannot be read.
 */
export function readReference(
  { from, said }: SecretSource,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  if ('env' in from) return environment[from.env]?.trim() || undefined;
  try {
    return (isPipe(from.file) ? readFileSync(from.file, 'utf8') : readText(from.file)).trim();
  } catch {
    throw new UsageError(`cannot read ${said}`);
  }
}
