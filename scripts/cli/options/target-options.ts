import { readFileSync } from 'node:fs';
import type { RunOptions, Keys } from '../../../suites/kit/model/run.ts';
import { UsageError } from '../terminal/exit.ts';
import type { CheckFlags } from './check-flags.ts';

/** Where a run goes: to the embedded mock, or to a service. */
export type Destination =
  | { readonly kind: 'mock' }
  | {
      readonly kind: 'live';
      readonly baseUrl: string;
      readonly keys: Keys;
      readonly control?: NonNullable<RunOptions['control']>;
    };

type Environment = Readonly<Record<string, string | undefined>>;

/** An http or https URL without credentials, query and fragment. `secret`: where its credentials come from instead. */
function urlOf(
  flag: string,
  text: string,
  example: string,
  secret: string,
): { origin: string; path: string } {
  if (!URL.canParse(text)) throw new UsageError(`${flag} is not a URL: it must look like ${example}`);
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new UsageError(`${flag} must begin with http:// or https://, not ${protocol}`);
  if (username !== '' || password !== '')
    throw new UsageError(`${flag} must not contain credentials: ${secret}`);
  if (search !== '' || hash !== '') throw new UsageError(`${flag} must not have a query or a fragment`);
  return { origin, path: pathname.replace(/\/$/, '') };
}

/**
 * The base URL without a trailing slash.
 * @throws {UsageError} Unless it is http or https, ends in the version segment (CALL-7), and contains no secret.
 */
export function baseUrlOf(text: string): string {
  const { origin, path } = urlOf(
    '--base-url',
    text,
    'https://host.example/v1',
    'keys come from CHAT_API_KEY',
  );
  if (path.endsWith('/v1')) return `${origin}${path}`;
  throw new UsageError(`--base-url must end in the version segment: did you mean ${origin}${path}/v1?`);
}

/**
 * The control URL, with the token of CHAT_CONTROL_TOKEN if there is one; undefined without a URL.
 * @throws {UsageError} Given an invalid URL, one that contains a secret, or one without a base URL.
 */
export function resolveControl(
  { baseUrl, controlUrl }: CheckFlags,
  environment: Environment,
): RunOptions['control'] {
  if (controlUrl === undefined) return undefined;
  if (baseUrl === undefined)
    throw new UsageError('--control-url requires --base-url: the embedded mock has its own');
  const token = fromEnvironment('CHAT_CONTROL_TOKEN', environment);
  const secret = 'the token comes from CHAT_CONTROL_TOKEN';
  const { origin, path } = urlOf('--control-url', controlUrl, 'https://host.example/control', secret);
  return { url: `${origin}${path}`, ...(token !== undefined && { token }) };
}

/** The headers that the runner sets: another value would falsify the verdicts. */
const RESERVED: ReadonlySet<string> = new Set([
  'authorization',
  'idempotency-key',
  'content-length',
  'host',
  'accept-encoding',
  'connection',
  'transfer-encoding',
]);

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\u0020-\u007e]+$/;

function headerOf(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  // The value may be a secret, so no message shows it.
  if (!NAME.test(name)) throw new UsageError('--header must have the form NAME:VALUE');
  if (RESERVED.has(name)) throw new UsageError(`--header cannot set ${name}: the runner sets it`);
  const value = text.slice(colon + 1).trim();
  if (!VALUE.test(value))
    throw new UsageError(`--header ${name} must have a value of printable ASCII characters`);
  return [name, value];
}

/**
 * Headers to send with every request, with lower-case names.
 * @throws {UsageError} Given a header that is malformed, reserved or repeated.
 */
export function extraHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const [name, value] of texts.map(headerOf)) {
    if (headers.has(name)) throw new UsageError(`--header ${name} is given twice`);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

/** What a Bearer header can carry; a shorter key could not be told from other words when it is redacted. */
const KEY = /^[\u0021-\u007e]{8,}$/;

function validKey(key: string, source: string): string {
  if (KEY.test(key)) return key;
  throw new UsageError(
    `${source} must contain one key: at least 8 printable ASCII characters, without spaces`,
  );
}

/** A key or a token. Throws a UsageError if no Bearer header can carry it. */
function fromEnvironment(name: string, environment: Environment): string | undefined {
  const value = environment[name]?.trim();
  return value === undefined || value === '' ? undefined : validKey(value, name);
}

function fromFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new UsageError(`cannot read --api-key-file ${file}`);
  }
}

/**
 * The keys of a target. The primary key is read from the file, or else from CHAT_API_KEY.
 * @throws {UsageError} Given no primary key, or an invalid one; the message never shows it.
 */
export function readKeys(environment: Environment, file: string | undefined): Keys {
  const primary =
    file === undefined
      ? fromEnvironment('CHAT_API_KEY', environment)
      : validKey(fromFile(file), `--api-key-file ${file}`);
  const second = fromEnvironment('CHAT_SECOND_API_KEY', environment);
  const unscoped = fromEnvironment('CHAT_UNSCOPED_API_KEY', environment);
  if (primary === undefined) {
    throw new UsageError(
      'a key is required: set CHAT_API_KEY, or pass a file that contains it with --api-key-file',
    );
  }
  return { primary, ...(second !== undefined && { second }), ...(unscoped !== undefined && { unscoped }) };
}
