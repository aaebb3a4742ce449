import { headerInShell } from '../../../suites/engine/text/curl-line.ts';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';
import { type CheckFlags, REPEATED_OPTIONS } from '../options/check-table.ts';
import { repeated } from '../options/kinds.ts';
import { longFlag, oppositeFlag, type OptionRow, type OptionRows } from '../options/option.ts';
import type { HeaderSource } from '../options/secrets.ts';
import { invocation } from '../terminal/own-package.ts';

/** The command that makes such a run of the same target again, with the same seed, without what selects the checks. */
export function againCommand(given: CheckFlags, seed: number): string {
  const { header = [], ...others } = given;
  const words = givenWords(REPEATED_OPTIONS, { ...others, seed });
  return [invocation(), ...header.flatMap((each) => ['--header', withoutValue(each)]), ...words].join(' ');
}

/** The options of a table as they were given, for a shell. */
export function givenWords(rows: OptionRows, given: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    const value = given[name];
    const values = row.kind === repeated && Array.isArray(value) ? value : [value];
    return values.flatMap((each) => wordsOf(row, each));
  });
}

/** An option as it was given: a secret by its file. */
function wordsOf(row: OptionRow, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (value === true) return [longFlag(row)];
  if (value === false) return [oppositeFlag(row)];
  const { from = { file: value } }: { readonly from?: { readonly file?: unknown } } = Object(value);
  return [longFlag(row), shellWord(String(from.file))];
}

/** A header may hold a secret, so only its name is shown, or the file it is in. */
function withoutValue({ name, value }: HeaderSource): string {
  const isInFile = typeof value !== 'string' && 'file' in value.from;
  return isInFile ? shellWord(`${name}:@${value.from.file}`) : headerInShell(name);
}
