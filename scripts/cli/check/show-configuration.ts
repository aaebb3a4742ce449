import { CHECK_OPTIONS, type ResolvedFlags } from '../options/check-table.ts';
import { settingRows } from '../options/option.ts';
import { isSecretOption, readReference, secretSource } from '../options/read-secret.ts';
import type { SecretSource } from '../options/secret-kinds.ts';
import { rejectMissingTarget } from '../options/target-options.ts';
import { RUNS_FOLDER } from '../reports/report-folder.ts';
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

/**
 * Prints every setting that holds and where it comes from; no secret, only whether it is there.
 * @throws {UsageError} Where a target is missing.
 */
export function showConfiguration(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): void {
  if (flags.baseUrl === undefined) rejectMissingTarget(flags, environment);
  const held = heldSettings(flags, environment);
  if (flags.json === true) return writeLine(JSON.stringify(held, undefined, 2));
  const rows = held.map(({ setting, value, from }) => {
    return [setting, Array.isArray(value) ? value.join(', ') || 'none' : String(value), from] as const;
  });
  const widths = [0, 1].map((i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  for (const row of rows) writeLine(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '));
}

function heldSettings(flags: ResolvedFlags, environment: NodeJS.ProcessEnv): readonly Held[] {
  const report = flags.baseUrl === undefined ? 'none' : RUNS_FOLDER;
  const values: Readonly<Record<string, unknown>> = {
    baseUrl: 'the bundled mock',
    seed: 'random',
    report,
    ...flags,
  };
  const hidden = (setting: string, source: SecretSource): Held => {
    return { setting, value: stateOf(source, environment), from: source.said };
  };
  return settingRows(CHECK_OPTIONS).flatMap(({ name, place: setting }): readonly Held[] => {
    if (isSecretOption(name))
      return flags.baseUrl === undefined ? [] : [hidden(setting, secretSource(flags, name))];
    if (name === 'header')
      return (flags.header ?? []).map(({ name: header, value, said }) => {
        if (typeof value !== 'string') return hidden(`headers.${header}`, value);
        // A text of the configuration is no secret: such a text is refused there. One of the command line may be.
        return { setting: `headers.${header}`, value: said.startsWith('--') ? HIDDEN : value, from: said };
      });
    const value = values[name];
    if (value === undefined) return [];
    return [
      { setting, value: value === Infinity ? 'no limit' : value, from: flags.origins[name] ?? 'default' },
    ];
  });
}

function stateOf(source: SecretSource, environment: NodeJS.ProcessEnv): string {
  try {
    return readReference(source, environment) === undefined ? '(not set)' : HIDDEN;
  } catch (error) {
    if (error instanceof UsageError) return `(${error.message})`;
    throw error;
  }
}
