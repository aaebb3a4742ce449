import { type Command, Option } from 'commander';
import type { Kind } from './kinds.ts';

/** One option of a command: everything that knows of it reads it here. */
export interface OptionRow extends OptionDetails {
  /** As commander takes it: `--seed <n>`; empty: only a configuration, or a variable, says it. */
  readonly flag: string;
  /** What it does: in the help, in the schema of the configuration and in the docs. */
  readonly says: string;
  readonly kind: Kind<unknown>;
}

/** What only some options have. */
export interface OptionDetails {
  /** What its opposite does, whose flag begins with `--no-`. */
  readonly saysNo?: string;
  /** Its place in a configuration: `caps.requests`. */
  readonly setting?: string;
  /** The variable that stands for it. */
  readonly variable?: string;
  /** Absent from the command line, it has this value. */
  readonly default?: string | number;
  /** The word that it stands for when it is given alone. */
  readonly alone?: string;
  /** Whether the short help shows it. */
  readonly isCommon?: true;
}

/** An option whose kind and place are inferred. */
export function option<Value, const Rest extends OptionDetails>(
  flag: string,
  says: string,
  kind: Value & Kind<unknown>,
  more?: Rest,
): { readonly flag: string; readonly says: string; readonly kind: Value } & Rest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- absent, it is empty
  return { flag, says, kind, ...(more as Rest) };
}

/** Options by the names of their values. */
export type OptionRows = Readonly<Record<string, OptionRow>>;

type ValueOf<Row> = Row extends { readonly kind: Kind<infer Value> } ? Value : never;

/** The values of the options that were given. */
export type FlagsOf<Rows> = { readonly [Name in keyof Rows]?: ValueOf<Rows[Name]> };

/** Adds options to a command; `group`: the heading above them in its help. */
export function addOptions(command: Command, rows: OptionRows, group?: string): Command {
  for (const parsed of Object.values(rows).flatMap(optionsOf))
    command.addOption(group === undefined ? parsed : parsed.helpGroup(group));
  return command;
}

function optionsOf({ flag, says, saysNo, kind: { parse }, ...row }: OptionRow): readonly Option[] {
  if (flag === '') return [];
  const parsed = new Option(flag, says);
  // Commander would make an option of this name that takes a value the opposite of another.
  if (parsed.required) parsed.negate = false;
  if (parse !== undefined) parsed.argParser(parse);
  if (row.alone !== undefined) parsed.preset(row.alone);
  if (row.default !== undefined) parsed.default(row.default);
  return saysNo === undefined ? [parsed] : [parsed, new Option(`--no-${parsed.name()}`, saysNo)];
}

/** `--max-requests`. */
export function longFlag({ flag }: OptionRow): string {
  return new Option(flag).long ?? flag;
}

/** A value as the command line takes it. */
export function wordFor({ kind }: OptionRow, value: unknown): string {
  if (kind.text !== undefined) return kind.text(value);
  return Array.isArray(value) ? value.join(',') : String(value);
}
