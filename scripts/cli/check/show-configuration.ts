import type { ResolvedFlags } from '../options/check-table.ts';
import { CHECK_OPTIONS } from '../options/check-table.ts';
import { settingRows } from '../options/option.ts';
import { isSecretOption, readReference, secretSource } from '../options/read-secret.ts';
import type { HeaderSource, SecretSource } from '../options/secret-kinds.ts';
import { rejectMissingTarget, givenHeaders } from '../options/target-options.ts';
import { RUNS_FOLDER } from '../reports/run-folders.ts';
import { UsageError } from '../terminal/exit.ts';
import { writeLine } from '../terminal/output.ts';

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
export function showConfiguration(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): void {
  if (flags.baseUrl === undefined) rejectMissingTarget(flags, environment);
  const held = heldSettings(flags, environment);
  if (flags.json === true) return writeLine(JSON.stringify(held, undefined, 2));
  const rows = held.map(({ setting, value, from }) => [setting, textOf(value), from] as const);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  for (const row of rows) writeLine(lineOf(row).trimEnd());
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value);
}

function heldSettings(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): readonly Held[] {
  const usual = {
    baseUrl: 'the bundled mock',
    seed: 'random',
    report: flags.baseUrl === undefined ? 'none' : RUNS_FOLDER,
  };
  const values: Readonly<Record<string, unknown>> = { ...usual, ...flags };
  return settingRows(CHECK_OPTIONS).flatMap(([name, { setting, kind }]): Held | readonly Held[] => {
    const value = values[name];
    if (setting === 'headers') return givenHeaders(flags).map((header) => heldHeader(header, environment));
    if (isSecretOption(name)) {
      const source = secretSource(flags, name);
      if (flags.baseUrl === undefined) return [];
      return { setting, value: stateOf(source, environment), from: source.said };
    }
    if (value === undefined) return [];
    const from = flags.origins[name] ?? 'default';
    if (value === Infinity) return { setting, value: 'no limit', from };
    return { setting, value: from === 'default' ? value : (kind.text?.(value) ?? value), from };
  });
}

/** A text of the configuration is no secret: such a text is refused there. One of the command line may be. */
function heldHeader({ name, value, said }: HeaderSource, environment: NodeJS.ProcessEnv): Held {
  const setting = `headers.${name}`;
  if (typeof value !== 'string') return { setting, value: stateOf(value, environment), from: value.said };
  return { setting, value: said.startsWith('--') ? HIDDEN : value, from: said };
}

function stateOf(source: SecretSource, environment: NodeJS.ProcessEnv): string {
  try {
    return readReference(source, environment) === undefined ? UNSET : HIDDEN;
  } catch (error) {
    if (error instanceof UsageError) return `(${error.message})`;
    throw error;
  }
}
