import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { readText } from '../../../suites/kit/files/read-json-file.ts';
import { KEY_NAMES } from '../../../suites/kit/model/exchange.ts';
import { UsageError } from '../terminal/exit.ts';

/** Where a secret is. The secret itself never stands in a configuration or a command line. */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** The keys of a target, the token of its control API, and what the way to it wants. */
export const SECRET_NAMES = [...KEY_NAMES, 'control', 'proxyAuth', 'certPassphrase'] as const;

export type SecretName = (typeof SECRET_NAMES)[number];

/** A reference, and what messages call it. */
export interface SecretSource {
  readonly from: SecretReference;
  /** `STAGING_KEY`, `--api-key-file key.txt`: never the secret. */
  readonly said: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that are read where nothing else is named. */
const VARIABLES: Readonly<Record<SecretName, string>> = {
  primary: 'CHAT_API_KEY',
  second: 'CHAT_SECOND_API_KEY',
  unscoped: 'CHAT_UNSCOPED_API_KEY',
  control: 'CHAT_CONTROL_TOKEN',
  proxyAuth: 'CHAT_PROXY_AUTH',
  certPassphrase: 'CHAT_CERT_PASSPHRASE',
};

/** The flags that name a file with a secret. */
export interface SecretFlags {
  readonly apiKeyFile?: string;
  readonly secondApiKeyFile?: string;
  readonly unscopedApiKeyFile?: string;
  readonly controlTokenFile?: string;
  /** Where the configuration says that secrets are. */
  readonly secrets?: Readonly<Partial<Record<SecretName, SecretSource>>>;
}

const FILE_FLAGS = {
  primary: ['--api-key-file', 'apiKeyFile'],
  second: ['--second-api-key-file', 'secondApiKeyFile'],
  unscoped: ['--unscoped-api-key-file', 'unscopedApiKeyFile'],
  control: ['--control-token-file', 'controlTokenFile'],
} as const satisfies Partial<Record<SecretName, readonly [string, keyof SecretFlags]>>;

type FiledSecret = keyof typeof FILE_FLAGS;

/** The first flag that names a file with a secret, and the file. */
export function givenSecretFile(flags: SecretFlags): readonly [string, string] | undefined {
  return SECRET_NAMES.map((name) => secretFileOf(flags, name)).find((found) => found !== undefined);
}

function secretFileOf(flags: SecretFlags, name: SecretName): readonly [string, string] | undefined {
  if (!isFiled(name)) return undefined;
  const [flag, attribute] = FILE_FLAGS[name];
  const file = flags[attribute];
  return file === undefined ? undefined : [flag, file];
}

function isFiled(name: SecretName): name is FiledSecret {
  return Object.hasOwn(FILE_FLAGS, name);
}

/** Where a secret is read: the flag comes first, then the configuration, then the usual variable. */
export function secretSource(flags: SecretFlags, name: SecretName): SecretSource {
  const [flag, file] = secretFileOf(flags, name) ?? [];
  if (file !== undefined) return { from: { file }, said: `${flag} ${file}` };
  return flags.secrets?.[name] ?? { from: { env: VARIABLES[name] }, said: VARIABLES[name] };
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
    added[VARIABLES[name]] = value;
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

/** The options that name files with secrets: whoever can see a command line must see none. */
export function addKeyOptions(command: Command): Command {
  return command
    .option('--api-key-file <file>', 'read the key from a file instead of CHAT_API_KEY')
    .option('--second-api-key-file <file>', 'the same for CHAT_SECOND_API_KEY')
    .option('--unscoped-api-key-file <file>', 'the same for CHAT_UNSCOPED_API_KEY')
    .option('--control-token-file <file>', 'the same for CHAT_CONTROL_TOKEN');
}
