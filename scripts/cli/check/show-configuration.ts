import { isSecretHeader } from '../../../fixtures/credentials/secret-names.ts';
import { CHECK_OPTIONS, type ResolvedFlags } from '../options/check-table.ts';
import { settingRows } from '../options/option.ts';
import { isSecretOption, readSource, secretSource, type SecretSource } from '../options/secrets.ts';
import { rejectMissingTarget } from '../options/target-options.ts';
import { RUNS_FOLDER } from '../reports/report-folder.ts';
import { UsageError, writeLine } from '../terminal/terminal.ts';

const HIDDEN = '(hidden)';

/**
 * Prints every setting that holds and where it comes from: a flag, a place in the configuration, a variable, or `default`.
 * Of a secret only whether it is there.
 */
export function showConfiguration(flags: ResolvedFlags): void {
  if (flags.baseUrl === undefined) rejectMissingTarget(flags);
  const held = heldSettings(flags);
  if (flags.json === true) return writeLine(JSON.stringify(held, undefined, 2));
  const rows = held.map(({ setting, value, from }) => {
    return [setting, Array.isArray(value) ? value.join(', ') || 'none' : String(value), from] as const;
  });
  const widths = [0, 1].map((i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  for (const row of rows) writeLine(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '));
}

function heldSettings(flags: ResolvedFlags) {
  const { baseUrl, header: headers = [], origins } = flags;
  const report = baseUrl === undefined ? 'none' : RUNS_FOLDER;
  const values = new Map<string, unknown>(
    Object.entries({ baseUrl: 'the bundled mock', seed: 'random', report, ...flags }),
  );
  return settingRows(CHECK_OPTIONS).flatMap(({ name, place: setting }) => {
    if (isSecretOption(name)) return baseUrl === undefined ? [] : hidden(setting, secretSource(flags, name));
    if (name === 'header')
      return headers.map(({ name: header, value, said: from }) => {
        if (typeof value !== 'string') return hidden(`headers.${header}`, value);
        const isSecret = from.startsWith('--') || isSecretHeader(header, value);
        return { setting: `headers.${header}`, value: isSecret ? HIDDEN : value, from };
      });
    const value = values.get(name);
    const shown = value === Infinity ? 'no limit' : value;
    return value === undefined ? [] : { setting, value: shown, from: origins[name] ?? 'default' };
  });
}

function hidden(setting: string, source: SecretSource) {
  const state = { setting, value: HIDDEN, from: source.said };
  try {
    readSource(source);
    return state;
  } catch (error) {
    if (error instanceof UsageError) return { ...state, value: `(${error.message})` };
    throw error;
  }
}
