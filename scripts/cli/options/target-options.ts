import { readFileSync } from 'node:fs';
import { UsageError } from '../terminal/exit.ts';
import type { RunOptions, Keys } from '../../../suites/kit/model/run.ts';
import type { CheckFlags } from './check-flags.ts';

function parsed(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new UsageError('--base-url is not a URL: it reads like https://host.example/v1');
}

/**
 * The base URL without a slash at its end.
 * @throws {UsageError} Unless it is http or https, ends in the version segment (CALL-7), and holds no secret.
 */
export function baseUrlOf(text: string): string {
  const url = parsed(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`--base-url must begin with http:// or https://, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--base-url must not hold credentials: keys come from CHAT_API_KEY');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError('--base-url must not have a query or a fragment');
  }
  const path = url.pathname.replace(/\/$/, '');
  if (path.endsWith('/v1')) return `${url.origin}${path}`;
  throw new UsageError(`--base-url must end in the version segment: did you mean ${url.origin}${path}/v1?`);
}

/**
 * Where the target is controlled, with the token of CHAT_CONTROL_TOKEN when there is one; undefined without a URL.
 * @throws {UsageError} Given a URL that is none, that holds a secret, or that belongs to no target.
 */
export function resolveControl(
  { baseUrl, controlUrl }: CheckFlags,
  environment: Readonly<Record<string, string | undefined>>,
): RunOptions['control'] {
  if (controlUrl === undefined) return undefined;
  if (baseUrl === undefined)
    throw new UsageError('--control-url needs --base-url: the mock that comes with it brings its own');
  const token = fromEnvironment('CHAT_CONTROL_TOKEN', environment);
  return { url: controlUrlOf(controlUrl), ...(token !== undefined && { token }) };
}

function controlUrlOf(text: string): string {
  if (!URL.canParse(text))
    throw new UsageError('--control-url is not a URL: it reads like https://host.example/control');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`--control-url must begin with http:// or https://, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--control-url must not hold credentials: the token comes from CHAT_CONTROL_TOKEN');
  if (url.search !== '' || url.hash !== '')
    throw new UsageError('--control-url must not have a query or a fragment');
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}

/** What the runner itself answers for: a header given twice or wrong here would falsify what is judged. */
const OURS: ReadonlySet<string> = new Set([
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
  if (!NAME.test(name)) throw new UsageError('--header must read NAME:VALUE');
  if (OURS.has(name)) throw new UsageError(`--header cannot set ${name}: every request carries its own`);
  const value = text.slice(colon + 1).trim();
  if (!VALUE.test(value))
    throw new UsageError(`--header ${name} needs a value of printable ASCII characters`);
  return [name, value];
}

/**
 * Headers to send with every request, names in lower case.
 * @throws {UsageError} Given one that is malformed, the runner's own, or there twice.
 */
export function extraHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const [name, value] of texts.map(headerOf)) {
    if (headers.has(name)) throw new UsageError(`--header ${name} is given twice`);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

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
