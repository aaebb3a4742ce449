import { isSecretHeader } from '../../../fixtures/credentials/secret-names.ts';
import type { Control } from '../../../suites/engine/model/deployment.ts';
import type { Keys, Target } from '../../../suites/engine/model/run.ts';
import type { Profile } from '../../../suites/engine/model/target.ts';
import { UsageError } from '../terminal/exit.ts';
import type { ResolvedFlags } from './check-table.ts';
import { resolveNetwork } from './network-options.ts';
import { longFlag, type OptionRows } from './option.ts';
import {
  SECRET_NAMES,
  readKey,
  readNamed,
  secretPlaces,
  secretSource,
  type SecretName,
} from './read-secret.ts';
import { HEADER_NAME, type HeaderSource, type SecretSource } from './secret-kinds.ts';
import { NETWORK_OPTIONS, SECRET_OPTIONS, TARGET } from './target-table.ts';

/** A service, or the bundled mock, which gets its address and its keys once it is started. */
export type RunTarget =
  | (Target & { readonly kind: 'live' })
  | { readonly kind: 'mock'; readonly headers: Target['headers']; readonly profile: Profile };

/** Where a run goes. */
export type Where = { readonly target: RunTarget; readonly control?: Control | undefined };

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

function controlUrlOf(text: string, said = '--control-url'): string {
  const { origin, path } = urlOf(said, text, 'https://host.example/control');
  return `${origin}${path}`;
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
  const text = typeof value === 'string' ? value : readNamed(value, environment);
  if (VALUE.test(text)) return text;
  throw new UsageError(`${said} must have a value of printable ASCII characters`);
}

/**
 * The keys of a target. The primary key is required. A plan reads no secret: its keys are empty, and say which there are.
 * @throws {UsageError} Given no primary key, or an invalid one; the message never shows it.
 */
function keysOf(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): Keys {
  const planned = flags.plan === undefined ? undefined : '';
  const keyOf = (name: SecretName): string | undefined => {
    if (planned === undefined) return readKey(flags, name, environment);
    return flags[name] === undefined && !environment[SECRET_OPTIONS[name].variable] ? undefined : planned;
  };
  const primary = keyOf('apiKeyFile') ?? planned;
  const [second, unscoped] = [keyOf('secondApiKeyFile'), keyOf('unscopedApiKeyFile')];
  if (primary === undefined) {
    const setting = flags.place === undefined ? '' : `, or say where it is at ${flags.place}/keys/primary`;
    throw new UsageError(
      `a key is required: set CHAT_API_KEY, pass a file that contains it with --api-key-file${setting}`,
    );
  }
  return { primary, ...(second !== undefined && { second }), ...(unscoped !== undefined && { unscoped }) };
}

/**
 * Where a run goes, with the keys and the way to it; without a secret where only a plan is wanted.
 * @throws {UsageError | FileError} Given no target, no key, or options that cannot be used.
 */
export async function resolveTarget(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): Promise<Where> {
  const { controlUrl, origins, header = [] } = flags;
  const reads = flags.plan === undefined;
  const sent = async (): Promise<Pick<Target, 'headers' | 'profile'>> => ({
    headers: Object.fromEntries(
      reads ? header.map((source) => [source.name, headerValue(source, environment)]) : [],
    ),
    profile: await profileOf(flags.profile),
  });
  if (flags.baseUrl === undefined) {
    rejectServiceFlags(flags, environment);
    return { target: { kind: 'mock', ...(await sent()) } };
  }
  const baseUrl = baseUrlOf(flags.baseUrl, origins['baseUrl']);
  const keys = keysOf(flags, environment);
  const token =
    reads && controlUrl !== undefined ? readKey(flags, 'controlTokenFile', environment) : undefined;
  const url = controlUrl === undefined ? undefined : controlUrlOf(controlUrl, origins['controlUrl']);
  const network = reads ? await resolveNetwork(flags, environment) : undefined;
  const secrets = reads ? secretPlaces(flags, header) : undefined;
  return {
    target: { kind: 'live', baseUrl, keys, network, secrets, ...(await sent()) },
    control: url === undefined ? undefined : { url, token, secrets },
  };
}

/** @throws {UsageError} Where the bundled mock is not meant, or has no use for an option. */
function rejectServiceFlags(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): void {
  rejectMissingTarget(flags, environment);
  const given: Readonly<Record<string, unknown>> = { ...flags };
  for (const [reason, rows] of Object.entries<OptionRows>(NEEDLESS_FOR_MOCK)) {
    const [, row] = Object.entries(rows).find(([name]) => given[name] !== undefined) ?? [];
    if (row !== undefined) throw new UsageError(`${longFlag(row)} requires --base-url: ${reason}`);
  }
}

/** What the bundled mock has no use for, by the reason. */
const NEEDLESS_FOR_MOCK = {
  'the bundled mock has its own': { controlUrl: TARGET.controlUrl },
  'the bundled mock has its own keys': SECRET_OPTIONS,
  'the bundled mock is on this machine': NETWORK_OPTIONS,
};

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
  // A variable may be empty, where a secret should be.
  const name = SECRET_NAMES.find(
    (each) => flags[each] !== undefined || environment[SECRET_OPTIONS[each].variable] !== undefined,
  );
  if (mock === undefined && targets.length === 0 && name === undefined) return;
  const ways = [...targets.map((each) => `--target ${each}`), '--base-url URL'].join(' or ');
  const problem = name === undefined ? '' : `${stateOf(secretSource(flags, name))}, but `;
  throw new UsageError(`${problem}no target is named: pass ${ways}; --mock checks the bundled mock`);
}

function stateOf({ from, said }: SecretSource): string {
  return `${said} is ${'file' in from ? 'given' : 'set'}`;
}
