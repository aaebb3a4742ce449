import { isSecretHeader } from '../../../fixtures/credentials/secret-names.ts';
import type { SecretPlaces } from '../../../suites/engine/model/exchange.ts';
import type { Network } from '../../../suites/engine/model/network.ts';
import type { RunOptions, Keys } from '../../../suites/engine/model/run.ts';
import { UsageError } from '../terminal/exit.ts';
import type { CheckFlags } from './check-flags.ts';
import { resolveNetwork } from './network-options.ts';
import { readReference, readKey, secretPlaces, secretSource, type SecretName } from './read-secret.ts';
import { HEADER_NAME, type HeaderSource } from './secret-kinds.ts';

/** Where a run goes: to the bundled mock, or to a service. */
export type TargetChoice =
  | { readonly kind: 'mock' }
  | {
      readonly kind: 'live';
      readonly baseUrl: string;
      readonly keys: Keys;
      readonly control?: NonNullable<RunOptions['control']>;
      readonly network?: Network;
      readonly secrets?: SecretPlaces;
    };

type Environment = Readonly<Record<string, string | undefined>>;

/** An http or https URL without credentials, query and fragment. */
function urlOf(flag: string, text: string, example: string): { origin: string; path: string } {
  if (text.trim() === '') throw new UsageError(`${flag} is empty: it must look like ${example}`);
  if (!URL.canParse(text)) throw new UsageError(`${flag} is not a URL: it must look like ${example}`);
  const { protocol, username, password, port, search, hash, origin, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new UsageError(`${flag} must begin with http:// or https://, not ${protocol}`);
  if (username !== '' || password !== '')
    throw new UsageError(
      `${flag} must not contain credentials: keys and tokens come from variables or files`,
    );
  if (port === '0')
    throw new UsageError(`${flag} must not have port 0: {port}, there and in --start, is a free one`);
  if (search !== '' || hash !== '') throw new UsageError(`${flag} must not have a query or a fragment`);
  return { origin, path: pathname.replace(/\/$/, '') };
}

/**
 * The base URL without a trailing slash; messages call it `said`.
 * @throws {UsageError} Unless it is http or https, ends in the version segment (CALL-7), and contains no secret.
 */
export function baseUrlOf(text: string, said = '--base-url'): string {
  const { origin, path } = urlOf(said, text, 'https://host.example/v1');
  if (path.endsWith('/v1')) return `${origin}${path}`;
  throw new UsageError(`${said} must end in the version segment: did you mean ${origin}${path}/v1?`);
}

/**
 * The control URL, with its token if there is one; undefined without a URL.
 * @throws {UsageError} Given an invalid URL, one that contains a secret, or one without a base URL.
 */
export function resolveControl(flags: CheckFlags, environment: Environment): RunOptions['control'] {
  const { baseUrl, controlUrl, places } = flags;
  if (controlUrl === undefined) return undefined;
  if (baseUrl === undefined)
    throw new UsageError('--control-url requires --base-url: the bundled mock has its own');
  const token = readKey(flags, 'controlTokenFile', environment);
  const said = places?.controlUrl ?? '--control-url';
  const { origin, path } = urlOf(said, controlUrl, 'https://host.example/control');
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

const VALUE = /^[\t\u0020-\u007e]+$/;

function headerValue({ name, value, said }: HeaderSource, environment: Environment): string {
  if (!HEADER_NAME.test(name)) throw new UsageError('--header must have the form NAME:VALUE');
  if (RESERVED.has(name)) throw new UsageError(`${said}: the runner sets this header itself`);
  if (typeof value === 'string' && isSecretHeader(name, value))
    throw new UsageError(
      `${said}: a secret is never given as text: give --header ${name}:@FILE, or { "env": "NAME" } in a configuration`,
    );
  const text = typeof value === 'string' ? value : readReference(value, environment);
  if (text === undefined && typeof value !== 'string') throw new UsageError(`${value.said} is not set`);
  if (text === undefined || !VALUE.test(text))
    throw new UsageError(`${said} must have a value of printable ASCII characters`);
  return text;
}

/** The headers of the command line replace those of the same name in the configuration. */
export function givenHeaders({ header = [] }: Pick<CheckFlags, 'header'>): readonly HeaderSource[] {
  return [...new Map(header.map((source) => [source.name, source])).values()];
}

/** @throws {UsageError} Given one twice on the command line. */
function rejectRepeated({ header = [] }: Pick<CheckFlags, 'header'>): void {
  const twice = header.find(({ name }, i) => header.slice(0, i).some((each) => each.name === name));
  if (twice !== undefined) throw new UsageError(`${twice.said} is given twice`);
}

/**
 * Headers to send with every request, with lower-case names.
 * @throws {UsageError} Given a header that is malformed, reserved, unreadable or repeated.
 */
export function extraHeaders(
  flags: Pick<CheckFlags, 'header' | 'given'>,
  environment: Environment,
): Readonly<Record<string, string>> {
  rejectRepeated(flags.given ?? flags);
  return Object.fromEntries(
    givenHeaders(flags).map((source) => [source.name, headerValue(source, environment)]),
  );
}

/**
 * The keys of a target. The primary key is required.
 * @throws {UsageError} Given no primary key, or an invalid one; the message never shows it.
 */
export function readKeys(flags: CheckFlags, environment: Environment): Keys {
  const primary = readKey(flags, 'apiKeyFile', environment);
  const second = readKey(flags, 'secondApiKeyFile', environment);
  const unscoped = readKey(flags, 'unscopedApiKeyFile', environment);
  if (primary === undefined) {
    const place = flags.places?.target;
    const setting = place === undefined ? '' : `, or say where it is at ${place}/keys/primary`;
    throw new UsageError(
      `a key is required: set CHAT_API_KEY, pass a file that contains it with --api-key-file${setting}`,
    );
  }
  return { primary, ...(second !== undefined && { second }), ...(unscoped !== undefined && { unscoped }) };
}

/** Which keys a run would have, each as an empty text: a plan reads no secret. */
function plannedKeys(flags: CheckFlags, environment: Environment): Keys {
  const has = (name: SecretName): boolean => {
    const { from } = secretSource(flags, name);
    return flags[name] !== undefined || 'file' in from || Boolean(environment[from.env]);
  };
  return {
    primary: '',
    ...(has('secondApiKeyFile') && { second: '' }),
    ...(has('unscopedApiKeyFile') && { unscoped: '' }),
  };
}

/**
 * The service at a base URL, with its keys and the way to it; without a secret where only a plan is wanted.
 * @throws {UsageError} Given no key, or options that cannot be used.
 */
export async function liveTarget(
  baseUrl: string,
  flags: CheckFlags,
  environment: Environment,
): Promise<TargetChoice> {
  if (flags.plan !== undefined) {
    const control = flags.controlUrl === undefined ? {} : { control: { url: flags.controlUrl } };
    return { kind: 'live', baseUrl, keys: plannedKeys(flags, environment), ...control };
  }
  const secrets = secretPlaces(flags, givenHeaders(flags));
  const control = resolveControl(flags, environment);
  const network = await resolveNetwork(flags, environment);
  return {
    kind: 'live',
    baseUrl,
    keys: readKeys(flags, environment),
    ...(control !== undefined && { control: { ...control, ...(secrets && { secrets }) } }),
    ...(network !== undefined && { network }),
    ...(secrets && { secrets }),
  };
}
