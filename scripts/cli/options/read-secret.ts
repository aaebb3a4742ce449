import { readFileSync, statSync } from 'node:fs';
import { readText } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError } from '../terminal/exit.ts';
import type { CheckFlags } from './check-flags.ts';
import { longFlag } from './option.ts';
import { SECRET_OPTIONS } from './target-table.ts';

/** Where a secret is. The secret itself never stands in a configuration or a command line. */
export type SecretReference = { readonly env: string } | { readonly file: string };

export type SecretName = keyof typeof SECRET_OPTIONS;

/** The keys of a target, the token of its control API, and what the way to it wants. */
export const SECRET_NAMES = Object.keys(SECRET_OPTIONS).filter(isSecretName);

function isSecretName(name: string): name is SecretName {
  return Object.hasOwn(SECRET_OPTIONS, name);
}

/** A reference, and what messages call it. */
export interface SecretSource {
  readonly from: SecretReference;
  /** `STAGING_KEY`, `--api-key-file key.txt`: never the secret. */
  readonly said: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

type SecretFlags = Pick<CheckFlags, SecretName | 'secrets'>;

/** The first flag that names a file with a secret. */
export function givenSecretFile(flags: SecretFlags): string | undefined {
  const name = SECRET_NAMES.find((each) => flags[each] !== undefined);
  return name === undefined ? undefined : longFlag(SECRET_OPTIONS[name]);
}

/** Where a secret is read: the flag comes first, then the configuration, then the usual variable. */
export function secretSource(flags: SecretFlags, name: SecretName): SecretSource {
  const file = flags[name];
  if (file !== undefined) return { from: { file }, said: `${longFlag(SECRET_OPTIONS[name])} ${file}` };
  const { variable } = SECRET_OPTIONS[name];
  return flags.secrets?.[name] ?? { from: { env: variable }, said: variable };
}

/** What a Bearer header can carry; a shorter key could not be told from other words when it is redacted. */
const KEY = /^[\u0021-\u007e]{8,}$/;

/**
 * A key or a token; undefined where only the usual variable would hold it, and it is not set.
 * @throws {UsageError} When it cannot be read, or no Bearer header can carry it; the message never shows it.
 */
export function readSecret(
  flags: SecretFlags,
  name: SecretName,
  environment: Environment,
): string | undefined {
  const source = secretSource(flags, name);
  const value = readReference(source, environment);
  if (value === undefined && source === flags.secrets?.[name])
    throw new UsageError(`${source.said} is not set`);
  if (value === undefined || KEY.test(value)) return value;
  throw new UsageError(
    `${source.said} must contain one key: at least 8 printable ASCII characters, without spaces`,
  );
}

/**
 * The environment with what the configuration says of proxies and certificates under the names that are read there.
 * @throws {UsageError} When it is not where the configuration says.
 */
export function networkEnvironment({ secrets = {} }: SecretFlags, environment: Environment): Environment {
  const added: Record<string, string> = {};
  for (const name of ['proxyAuth', 'certPassphrase'] as const) {
    const source = secrets[name];
    if (source === undefined) continue;
    const value = readReference(source, environment);
    if (value === undefined) throw new UsageError(`${source.said} is not set`);
    added[SECRET_OPTIONS[name].variable] = value;
  }
  return { ...environment, ...added };
}

/**
 * What a reference leads to, without the white space around it; undefined for a variable that is unset or empty.
 * @throws {UsageError} When the file cannot be read.
 */
export function readReference({ from, said }: SecretSource, environment: Environment): string | undefined {
  if ('env' in from) return environment[from.env]?.trim() || undefined;
  try {
    // A program that keeps keys hands them over in a pipe.
    const isPipe = statSync(from.file).isFIFO();
    return (isPipe ? readFileSync(from.file, 'utf8') : readText(from.file)).trim();
  } catch {
    throw new UsageError(`cannot read ${said}`);
  }
}
