import type { Control } from '../../../suites/engine/model/deployment.ts';
import { addressOf } from '../../../suites/engine/model/network.ts';
import type { Keys } from '../../../suites/engine/model/run.ts';
import { PORT } from '../../caller/process-group.ts';
import { UsageError } from '../terminal/terminal.ts';
import { ABOUT_SERVICE, type ResolvedFlags } from './check-table.ts';
import { headerValue } from './headers.ts';
import { resolveNetwork } from './network-options.ts';
import { longFlag } from './option.ts';
import {
  SECRET_NAMES,
  SECRET_OPTIONS,
  readKey,
  secretPlaces,
  secretSource,
  type SecretName,
} from './secrets.ts';

/** The URL of a control API without a trailing slash; messages call it `said`. */
export function controlUrlOf(text: string, said = '--control-url'): string {
  return urlOf(text, said, 'https://host.example/control');
}

/** An http or https URL without credentials, query and fragment, and without a slash at its end. */
function urlOf(text: string, said: string, example: string): string {
  if (!URL.canParse(text)) {
    const is = text.trim() === '' ? 'is empty' : 'is not a URL';
    throw new UsageError(`${said} ${is}: it must look like ${example}`);
  }
  const { protocol, username, password, port, search, hash } = new URL(text);
  const isWrong: Readonly<Record<string, boolean>> = {
    [`must begin with http:// or https://, not ${protocol}`]: !/^https?:$/.test(protocol),
    'must not contain credentials: keys and tokens come from variables or files': username + password !== '',
    'must not have port 0: write {port} here and in --start for a free port': port === '0',
    'must not have a query or a fragment': search + hash !== '',
  };
  const wrong = Object.keys(isWrong).find((problem) => isWrong[problem]);
  if (wrong !== undefined) throw new UsageError(`${said} ${wrong}`);
  const { origin, path } = addressOf(text);
  return `${origin}${path}`;
}

/**
 * The base URL without a trailing slash; messages call it `said`.
 * @throws {UsageError} Unless it is http or https, ends in the version segment (CALL-7), and contains no secret.
 */
export function baseUrlOf(text: string, said = '--base-url'): string {
  const url = urlOf(text, said, 'https://host.example/v1');
  if (url.endsWith('/v1')) return url;
  throw new UsageError(`${said} must end in the version segment: did you mean ${url.split('/v1/')[0]}/v1?`);
}

/** The base URL that all runs of a target have: each start of a service on `{port}` has a port of its own. Undefined: the mock. */
export function lastingUrl({ baseUrl, origins }: ResolvedFlags): string | undefined {
  return baseUrl === undefined || baseUrl.includes(PORT) ? baseUrl : baseUrlOf(baseUrl, origins['baseUrl']);
}

/**
 * The keys of a target. The primary key is required. A plan reads no secret: its keys are empty, and say which there are.
 * @throws {UsageError} Given no primary key, or an invalid one; the message never shows it.
 */
function keysOf(flags: ResolvedFlags): Keys {
  const keyOf = (name: SecretName): string | undefined => {
    if (flags.plan === undefined) return readKey(flags, name);
    const isThere = flags[name] !== undefined || !!process.env[SECRET_OPTIONS[name].variable];
    return isThere || name === 'apiKeyFile' ? '' : undefined;
  };
  const primary = keyOf('apiKeyFile');
  if (primary === undefined) {
    const place = flags.place === undefined ? '' : `, or say where it is at ${flags.place}/keys/primary`;
    throw new UsageError(
      `a key is required: set CHAT_API_KEY, pass a file that contains it with --api-key-file${place}`,
    );
  }
  const [second, unscoped] = [keyOf('secondApiKeyFile'), keyOf('unscopedApiKeyFile')];
  return { primary, ...(second !== undefined && { second }), ...(unscoped !== undefined && { unscoped }) };
}

/**
 * Where a run goes, with the keys and the way to it; without a secret where only a plan is wanted. The bundled mock gets its
 * address and its keys once it is started.
 */
export async function resolveTarget(flags: ResolvedFlags) {
  const { controlUrl, origins, plan } = flags;
  if (flags.baseUrl === undefined) {
    rejectMissingTarget(flags);
    const [, needless] = Object.entries(ABOUT_SERVICE).find(([name]) => Object.hasOwn(flags, name)) ?? [];
    if (needless !== undefined)
      throw new UsageError(`${longFlag(needless)} requires --base-url: the bundled mock does not use it`);
    return { target: { kind: 'mock' as const, ...(await sentWith(flags)) } };
  }
  const baseUrl = baseUrlOf(flags.baseUrl, origins['baseUrl']);
  const control: Control | undefined =
    controlUrl === undefined ? undefined : { url: controlUrlOf(controlUrl, origins['controlUrl']) };
  const keys = keysOf(flags);
  const name = flags.target;
  const target = { kind: 'live', name, baseUrl, keys, ...(await sentWith(flags)) } as const;
  if (plan !== undefined) return { target, control };
  const secrets = secretPlaces(flags);
  const token = control && readKey(flags, 'controlTokenFile');
  return {
    target: { ...target, network: await resolveNetwork(flags), secrets },
    control: control && { ...control, token, secrets },
  };
}

async function sentWith({ plan, header = [], profile: file }: ResolvedFlags) {
  const sent = plan === undefined ? header : [];
  const headers = Object.fromEntries(sent.map((each) => [each.name, headerValue(each)]));
  if (file === undefined) return { headers, profile: {} };
  const { readProfile } = await import('../../../suites/engine/files/read-profile.ts');
  return { headers, profile: readProfile(file) };
}

/**
 * The bundled mock is the target of a run without a base URL only where nothing names another: a gate whose target is
 * missing must not be green.
 * @throws {UsageError} Where something does, with what to write.
 */
export function rejectMissingTarget(flags: ResolvedFlags): void {
  const { mock, target, targets, place } = flags;
  if (mock === true) return;
  if (target !== undefined)
    throw new UsageError(
      `the target ${target} has no base URL: write "baseUrl" at ${place}, or pass --base-url`,
    );
  // A variable may be empty, where a secret should be.
  const name = SECRET_NAMES.find(
    (each) => flags[each] !== undefined || process.env[SECRET_OPTIONS[each].variable] !== undefined,
  );
  if (mock === undefined && targets.length === 0 && name === undefined) return;
  const ways = [...targets.map((each) => `--target ${each}`), '--base-url URL'].join(' or ');
  const problem = name === undefined ? '' : `${secretSource(flags, name).said} is given, but `;
  throw new UsageError(`${problem}no target is named: pass ${ways}; --mock checks the bundled mock`);
}
