import { isSecretHeader } from '../../../fixtures/credentials/secret-names.ts';
import type { Control } from '../../../suites/engine/model/deployment.ts';
import type { Keys, Target } from '../../../suites/engine/model/run.ts';
import type { Profile } from '../../../suites/engine/model/target.ts';
import { UsageError } from '../terminal/exit.ts';
import type { ResolvedFlags } from './check-table.ts';
import type { CheckFlags } from './check-table.ts';
import { rejectNetworkFlags, resolveNetwork } from './network-options.ts';
import {
  SECRET_NAMES,
  givenSecretFile,
  readReference,
  readKey,
  secretPlaces,
  secretSource,
  type SecretName,
} from './read-secret.ts';
import { HEADER_NAME, type HeaderSource } from './secret-kinds.ts';
import { SECRET_OPTIONS } from './target-table.ts';

/** A service, or the bundled mock, which gets its address and its keys once it is started. */
export type RunTarget =
  | (Target & { readonly kind: 'live' })
  | { readonly kind: 'mock'; readonly headers: Target['headers']; readonly profile: Profile };

/** Where a run goes. */
export type Where = { readonly target: RunTarget; readonly control?: Control };

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
 * @throws {UsageError} Given an invalid URL, or one that contains a secret.
 */
function resolveControl(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): Control | undefined {
  const { controlUrl, origins } = flags;
  if (controlUrl === undefined) return undefined;
  const token = readKey(flags, 'controlTokenFile', environment);
  const { origin, path } = urlOf(
    origins['controlUrl'] ?? '--control-url',
    controlUrl,
    'https://host.example/control',
  );
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

function headerValue({ name, value, said }: HeaderSource, environment: NodeJS.ProcessEnv): string {
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
function extraHeaders(
  flags: Pick<ResolvedFlags, 'header' | 'given'>,
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  rejectRepeated(flags.given);
  return Object.fromEntries(
    givenHeaders(flags).map((source) => [source.name, headerValue(source, environment)]),
  );
}

/**
 * The keys of a target. The primary key is required.
 * @throws {UsageError} Given no primary key, or an invalid one; the message never shows it.
 */
function readKeys(flags: Pick<ResolvedFlags, SecretName | 'place'>, environment: NodeJS.ProcessEnv): Keys {
  const primary = readKey(flags, 'apiKeyFile', environment);
  const second = readKey(flags, 'secondApiKeyFile', environment);
  const unscoped = readKey(flags, 'unscopedApiKeyFile', environment);
  if (primary === undefined) {
    const setting = flags.place === undefined ? '' : `, or say where it is at ${flags.place}/keys/primary`;
    throw new UsageError(
      `a key is required: set CHAT_API_KEY, pass a file that contains it with --api-key-file${setting}`,
    );
  }
  return { primary, ...(second !== undefined && { second }), ...(unscoped !== undefined && { unscoped }) };
}

/** Which keys a run would have, each as an empty text: a plan reads no secret. */
function plannedKeys(flags: CheckFlags, environment: NodeJS.ProcessEnv): Keys {
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
 * Where a run goes, with the keys and the way to it; without a secret where only a plan is wanted.
 * @throws {UsageError | FileError} Given no target, no key, or options that cannot be used.
 */
export async function resolveTarget(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): Promise<Where> {
  const { control, ...target } = await wayOf(flags, environment);
  const headers = flags.plan === undefined ? extraHeaders(flags, environment) : {};
  const profile = await profileOf(flags.profile);
  return { target: { ...target, headers, profile }, ...(control !== undefined && { control }) };
}

async function wayOf(flags: ResolvedFlags, environment: NodeJS.ProcessEnv) {
  if (flags.baseUrl === undefined) {
    rejectServiceFlags(flags, environment);
    return { kind: 'mock', control: undefined } as const;
  }
  const baseUrl = baseUrlOf(flags.baseUrl, flags.origins['baseUrl']);
  const live = { kind: 'live', baseUrl } as const;
  if (flags.plan !== undefined) {
    const control = flags.controlUrl === undefined ? undefined : { url: flags.controlUrl };
    return { ...live, keys: plannedKeys(flags, environment), control };
  }
  const keys = readKeys(flags, environment);
  const control = resolveControl(flags, environment);
  const network = await resolveNetwork(flags, environment);
  const places = secretPlaces(flags, givenHeaders(flags));
  const secrets = places === undefined ? {} : { secrets: places };
  return {
    ...live,
    keys,
    control: control && { ...control, ...secrets },
    ...(network !== undefined && { network }),
    ...secrets,
  };
}

/** @throws {UsageError} Where the bundled mock is not meant, or has no use for an option. */
function rejectServiceFlags(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): void {
  if (flags.controlUrl !== undefined)
    throw new UsageError('--control-url requires --base-url: the bundled mock has its own');
  rejectMissingTarget(flags, environment);
  const flag = givenSecretFile(flags.given);
  if (flag !== undefined)
    throw new UsageError(`${flag} requires --base-url: the bundled mock has its own keys`);
  rejectNetworkFlags(flags, '--base-url: the bundled mock is on this machine');
}

async function profileOf(file: string | undefined): Promise<Profile> {
  if (file === undefined) return {};
  const { readProfile } = await import('../../../suites/engine/files/read-profile.ts');
  return readProfile(file);
}

/**
 * The bundled mock is the target of a run without a base URL only where nothing names another: a gate whose target is
 * missing must not be green.
 * @throws {UsageError} Where something does, with what to write.
 */
export function rejectMissingTarget(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): void {
  const { mock, target, targets, place } = flags;
  if (mock === true) return;
  if (target !== undefined)
    throw new UsageError(
      `the target ${target} has no base URL: write "baseUrl" at ${place}, or pass --base-url`,
    );
  const secret = secretGiven(flags, environment);
  if (mock === undefined && targets.length === 0 && secret === undefined) return;
  const ways = [...targets.map((name) => `--target ${name}`), '--base-url URL'].join(' or ');
  const problem = secret === undefined ? '' : `${secret}, but `;
  throw new UsageError(`${problem}no target is named: pass ${ways}; --mock checks the bundled mock`);
}

/** What says that a secret of a service, or of the way to it, is there, or should be: a variable may be empty. */
function secretGiven(flags: CheckFlags, environment: NodeJS.ProcessEnv): string | undefined {
  const name = SECRET_NAMES.find(
    (each) => flags[each] !== undefined || environment[SECRET_OPTIONS[each].variable] !== undefined,
  );
  if (name === undefined) return undefined;
  const { from, said } = secretSource(flags, name);
  return `${said} is ${'file' in from ? 'given' : 'set'}`;
}
