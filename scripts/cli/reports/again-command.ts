import { relative } from 'node:path';
import { headerInShell } from '../../../suites/engine/text/curl-line.ts';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';
import { type CheckFlags, REPEATED_OPTIONS } from '../options/check-table.ts';
import { repeated } from '../options/kinds.ts';
import { longFlag, oppositeFlag, type OptionRow, type OptionRows } from '../options/option.ts';
import type { HeaderSource } from '../options/secrets.ts';

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

const INSTALLED = 'node_modules/.bin/chat-conformance';

/** How the user calls this command: through the npm script of this project, through npx, by a path, or by its name. */
export function invocation(): string {
  const { npm_lifecycle_event: script } = process.env;
  if (script === 'conformance') return 'npm run conformance --';
  if (script === 'npx') return 'npx --no -- chat-conformance';
  // Some package managers put a script there, which a shell names in this variable.
  const path = [process.argv[1], process.env['_']].find((each) => each?.endsWith(INSTALLED));
  return path === undefined ? 'chat-conformance' : shellWord(relative('', path));
}

/** A header may hold a secret, so only its name is shown, or the file it is in. */
function withoutValue({ name, value }: HeaderSource): string {
  const isInFile = typeof value !== 'string' && 'file' in value.from;
  return isInFile ? shellWord(`${name}:@${value.from.file}`) : headerInShell(name);
}
