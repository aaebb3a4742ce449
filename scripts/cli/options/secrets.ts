import { readFileSync, statSync } from 'node:fs';
import {
  SECRET_VARIABLES,
  type SecretPlace,
  type SecretPlaces,
  type SecretSetting,
} from '../../../suites/engine/model/exchange.ts';
import { readText } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError } from '../terminal/terminal.ts';
import { filled } from './kinds.ts';
import { type FlagsOf, option, type Schemas, type SettingPlace } from './option.ts';

/** Where a secret is, and what messages call it. The secret itself stands in no configuration and no command line. */
export interface SecretSource {
  readonly from: SecretPlace;
  /** `STAGING_KEY (…)`, `--api-key-file key.txt`: never the secret. */
  readonly said: string;
}

/** A header as the command line or a configuration gives it. */
export interface HeaderSource {
  readonly name: string;
  readonly value: string | SecretSource;
  /** What messages call it; the value may be a secret, so that no message shows it. */
  readonly said: string;
}

export const placesIn = (z: Schemas) =>
  [
    z.strictObject({ env: z.string().min(1).describe('A variable of the environment.') }),
    z.strictObject({ file: z.string().min(1).describe('A file that contains nothing else.') }),
  ] as const;

export function sourceOf(from: SecretPlace, { place, inFolder }: SettingPlace): SecretSource {
  if ('env' in from) return { from, said: `${from.env} (${place})` };
  const path = inFolder(from.file);
  return { from: { file: path }, said: `${path} (${place})` };
}

/** Where a secret is: the command line, which others can see, names a file. */
export const secret = (flag: string) => ({
  parse: (word: string): SecretSource => ({ from: { file: filled(word) }, said: `${flag} ${word}` }),
  schema: (z: Schemas) =>
    z.union(placesIn(z), {
      error: 'write a secret as { "env": "NAME" } or { "file": "PATH" }, never as text',
    }),
  ofSetting: sourceOf,
});

const secretOption = <const Place extends SecretSetting>(place: Place, flag: string, what: string) => {
  const variable = SECRET_VARIABLES[place];
  const says = `${what}, in a file (else ${variable})`;
  return option(`${flag} <file>`, secret(flag), says, { setting: place, variable });
};

/** The keys of a target, the token of its control API, and what the way to it wants. */
export const SECRET_OPTIONS = {
  apiKeyFile: secretOption('keys.primary', '--api-key-file', 'the key'),
  secondApiKeyFile: secretOption('keys.second', '--second-api-key-file', 'a key with other models'),
  unscopedApiKeyFile: secretOption('keys.unscoped', '--unscoped-api-key-file', 'key without inference scope'),
  controlTokenFile: secretOption('controlToken', '--control-token-file', 'bearer token of --control-url'),
  proxyAuth: option('', secret(''), 'NAME:PASSWORD for the proxy', {
    setting: 'proxyAuth',
    variable: SECRET_VARIABLES.proxyAuth,
  }),
};

export type SecretName = keyof typeof SECRET_OPTIONS;

export const SECRET_NAMES = Object.keys(SECRET_OPTIONS).filter(isSecretOption);

export function isSecretOption(name: string): name is SecretName {
  return Object.hasOwn(SECRET_OPTIONS, name);
}

type SecretFlags = FlagsOf<typeof SECRET_OPTIONS>;

/** Where a secret is read: what names it, or else the usual variable. */
export function secretSource(flags: SecretFlags, name: SecretName): SecretSource {
  const { variable } = SECRET_OPTIONS[name];
  return flags[name] ?? { from: { env: variable }, said: variable };
}

/** The text of a secret; undefined where only the usual variable would hold it, and it is not set. */
export function readSecret(flags: SecretFlags, name: SecretName): string | undefined {
  const named = flags[name];
  if (named === undefined) return process.env[SECRET_OPTIONS[name].variable]?.trim() || undefined;
  return readSource(named);
}

/** A secret, without the white space around it. */
export function readSource({ from, said }: SecretSource): string {
  if ('env' in from) {
    const value = process.env[from.env]?.trim() ?? '';
    if (value === '') throw new UsageError(`${said} is not set`);
    return value;
  }
  try {
    return (isPipe(from) ? readFileSync(from.file, 'utf8') : readText(from.file)).trim();
  } catch {
    throw new UsageError(`cannot read ${said}`);
  }
}

/** What a Bearer header can carry; a shorter key could not be told from other words when it is redacted. */
const KEY = /^[\u0021-\u007e]{8,}$/;

/**
 * Likewise a key or a token.
 * @throws {UsageError} When no Bearer header can carry it, too; the message never shows it.
 */
export function readKey(flags: SecretFlags, name: SecretName): string | undefined {
  const value = readSecret(flags, name);
  if (value === undefined || KEY.test(value)) return value;
  const { said } = secretSource(flags, name);
  throw new UsageError(`${said} must contain one key: at least 8 printable ASCII characters, without spaces`);
}

/** Where the secrets of a run are, as its reports name them; undefined where all are in the usual variables. */
export function secretPlaces(
  flags: SecretFlags & { readonly header?: readonly HeaderSource[] | undefined },
): SecretPlaces | undefined {
  const named = [
    ...SECRET_NAMES.map((name) => [SECRET_OPTIONS[name].setting, secretSource(flags, name).from] as const),
    ...(flags.header ?? []).flatMap(({ name, value }) =>
      typeof value === 'string' ? [] : [[`headers.${name}`, value.from] as const],
    ),
  ];
  const usual = new Set<string>(Object.values(SECRET_VARIABLES));
  const told = named.filter(([, place]) => !('env' in place && usual.has(place.env)) && !isPipe(place));
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

/** A program that keeps keys hands them over in a pipe, which nobody can read again. */
function isPipe(place: SecretPlace): boolean {
  return 'file' in place && statSync(place.file, { throwIfNoEntry: false })?.isFIFO() === true;
}
