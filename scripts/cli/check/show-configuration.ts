import type { Pace, Target } from '../../../suites/kit/model/run.ts';
import { type ConfiguredFlags, SETTING_PLACES, type SettingFlag } from '../config/apply-configuration.ts';
import type { CheckFlags, HeaderSource } from '../options/check-flags.ts';
import { rejectMissingTarget } from '../options/missing-target.ts';
import {
  readReference,
  SECRET_NAMES,
  type SecretName,
  secretSource,
  type SecretSource,
} from '../options/read-secret.ts';
import { givenHeaders } from '../options/target-options.ts';
import { UsageError } from '../terminal/exit.ts';
import { writeLine } from '../terminal/output.ts';
import { DEFAULTS, sizeOf, TIMEOUT_MS } from './check-defaults.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One setting that holds. */
interface Held {
  readonly setting: string;
  readonly value: unknown;
  /** A flag, a place in the configuration, a variable, or `default`. */
  readonly from: string;
}

const HIDDEN = '(hidden)';
const UNSET = '(not set)';

/**
 * Prints every setting that holds and where it comes from; no secret, only whether it is there.
 * @throws {UsageError} Where a target is missing.
 */
export function showConfiguration(configured: ConfiguredFlags, environment: Environment): void {
  if (configured.flags.baseUrl === undefined) rejectMissingTarget(configured.flags, environment);
  const held = [...heldSettings(configured), ...heldSecrets(configured.flags, environment)];
  if (configured.flags.json === true) return writeLine(JSON.stringify(held, undefined, 2));
  const rows = held.map(({ setting, value, from }) => [setting, textOf(value), from] as const);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    writeLine(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (isPace(value)) return `${value.requests}/${value.perMs === 1000 ? 's' : 'm'}`;
  return String(value);
}

function isPace(value: unknown): value is Pace {
  return typeof value === 'object' && value !== null && 'perMs' in value;
}

function heldSettings({ flags, origins }: ConfiguredFlags): readonly Held[] {
  const defaults = defaultsFor(flags);
  return SETTING_PLACES.flatMap(([name, place]) => {
    const setting = place.slice(1).replaceAll('/', '.');
    const value = flags[name];
    if (value !== undefined) return [{ setting, value, from: origins[name] ?? flagNamed(name) }];
    const usual = defaults[name];
    return usual === undefined ? [] : [{ setting, value: usual, from: 'default' }];
  });
}

function flagNamed(attribute: string): string {
  return `--${attribute.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function defaultsFor({ baseUrl, tier }: CheckFlags): Readonly<Partial<Record<SettingFlag, unknown>>> {
  const kind: Target['kind'] = baseUrl === undefined ? 'mock' : 'live';
  const { tier: usual, concurrency, allow, report } = DEFAULTS[kind];
  const { runs, caps, maxTime } = sizeOf(tier ?? usual, kind);
  return {
    baseUrl: 'the bundled mock',
    tier: usual,
    runs,
    maxRequests: unbounded(caps.requests),
    maxCompletions: unbounded(caps.completions),
    maxOutputTokens: caps.outputTokens,
    concurrency,
    timeout: TIMEOUT_MS,
    maxTime,
    allow,
    seed: 'random',
    report: report ?? 'none',
  };
}

function unbounded(cap: number): number | string {
  return Number.isFinite(cap) ? cap : 'no limit';
}

const SECRETS = {
  primary: 'keys.primary',
  second: 'keys.second',
  unscoped: 'keys.unscoped',
  control: 'controlToken',
  proxyAuth: 'proxyAuth',
  certPassphrase: 'tls.passphrase',
} as const satisfies Record<SecretName, string>;

function heldSecrets(flags: CheckFlags, environment: Environment): readonly Held[] {
  if (flags.baseUrl === undefined) return [];
  const secrets = SECRET_NAMES.map((name) => {
    const source = secretSource(flags, name);
    return { setting: SECRETS[name], value: stateOf(source, environment), from: source.said };
  });
  return [...secrets, ...givenHeaders(flags).map((header) => heldHeader(header, environment))];
}

/** A text of the configuration is no secret: such a text is refused there. One of the command line may be. */
function heldHeader({ name, value, said }: HeaderSource, environment: Environment): Held {
  const setting = `headers.${name}`;
  if (typeof value !== 'string') return { setting, value: stateOf(value, environment), from: value.said };
  return { setting, value: said.startsWith('--') ? HIDDEN : value, from: said };
}

function stateOf(source: SecretSource, environment: Environment): string {
  try {
    return readReference(source, environment) === undefined ? UNSET : HIDDEN;
  } catch (error) {
    if (error instanceof UsageError) return `(${error.message})`;
    throw error;
  }
}
