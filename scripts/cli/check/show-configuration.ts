import type { ConfiguredFlags } from '../config/apply-configuration.ts';
import { type CheckFlags, CHECK_OPTIONS } from '../options/check-table.ts';
import { longFlag, settingRows } from '../options/option.ts';
import { isSecretOption, readReference, secretSource, type SecretName } from '../options/read-secret.ts';
import type { HeaderSource, SecretSource } from '../options/secret-kinds.ts';
import { rejectMissingTarget, givenHeaders } from '../options/target-options.ts';
import { SECRET_OPTIONS } from '../options/target-table.ts';
import { UsageError } from '../terminal/exit.ts';
import { writeLine } from '../terminal/output.ts';
import { DEFAULTS, usualFlags } from './check-defaults.ts';

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
  const held = heldSettings(configured, environment);
  if (configured.flags.json === true) return writeLine(JSON.stringify(held, undefined, 2));
  const rows = held.map(({ setting, value, from }) => [setting, textOf(value), from] as const);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  for (const row of rows) writeLine(lineOf(row).trimEnd());
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value);
}

function heldSettings({ flags, origins }: ConfiguredFlags, environment: Environment): readonly Held[] {
  const given: Readonly<Record<string, unknown>> = { ...flags };
  const usual: Readonly<Record<string, unknown>> = { ...usualSettings(flags) };
  return settingRows(CHECK_OPTIONS).flatMap(([name, row]) => {
    const { setting, kind } = row;
    const value = given[name];
    if (isSecretOption(name)) return flags.baseUrl === undefined ? [] : heldSecret(flags, name, environment);
    if (setting === 'headers') return givenHeaders(flags).map((header) => heldHeader(header, environment));
    if (value !== undefined)
      return { setting, value: kind.text?.(value) ?? value, from: origins[name] ?? longFlag(row) };
    return usual[name] === undefined ? [] : { setting, value: usual[name], from: 'default' };
  });
}

/** What holds where nothing is said, in words where it is no value. */
function usualSettings(flags: CheckFlags): object {
  const kind = flags.baseUrl === undefined ? 'mock' : 'live';
  const { maxRequests, maxCompletions, ...usual } = usualFlags(flags.tier, kind);
  return {
    ...usual,
    baseUrl: 'the bundled mock',
    maxRequests: unbounded(maxRequests),
    maxCompletions: unbounded(maxCompletions),
    seed: 'random',
    report: DEFAULTS[kind].report ?? 'none',
  };
}

function unbounded(cap: number): number | string {
  return Number.isFinite(cap) ? cap : 'no limit';
}

function heldSecret(flags: CheckFlags, name: SecretName, environment: Environment): Held {
  const source = secretSource(flags, name);
  const { setting } = SECRET_OPTIONS[name];
  return { setting, value: stateOf(source, environment), from: source.said };
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
