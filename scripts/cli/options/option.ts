import { type Command, Option } from 'commander';
import type { Kind } from './kinds.ts';

/** One option of a command: everything that knows of it reads it here. */
export interface OptionRow {
  readonly kind: Kind<unknown>;
  /** As commander takes it: `--seed <n>`. Absent: only a configuration, or a variable, says it. */
  readonly flag?: string;
  /** What it does: in the help, in the schema of the configuration and in the docs. */
  readonly says: string;
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
  /** Whether the command that makes a run again has it. */
  readonly isRepeated?: true;
}

/** Options by the names of their values. */
export type OptionRows = Readonly<Record<string, OptionRow>>;

type ValueOf<Row> = Row extends { readonly kind: Kind<infer Value> } ? Value : never;

/** The values of the options that were given. */
export type FlagsOf<Rows> = { readonly [Name in keyof Rows]?: ValueOf<Rows[Name]> };

/** Adds options to a command; `group`: the heading above them in its help. */
export function addOptions(command: Command, rows: OptionRows, group?: string): Command {
  for (const row of Object.values(rows))
    for (const option of optionsOf(row))
      command.addOption(group === undefined ? option : option.helpGroup(group));
  return command;
}

function optionsOf({ flag, says, saysNo, kind: { parse }, ...row }: OptionRow): readonly Option[] {
  if (flag === undefined) return [];
  const option = new Option(flag, says);
  // Commander would make an option of this name that takes a value the opposite of another.
  if (option.required) option.negate = false;
  if (parse !== undefined) option.argParser(parse);
  if (row.alone !== undefined) option.preset(row.alone);
  if (row.default !== undefined) option.default(row.default);
  return saysNo === undefined ? [option] : [option, new Option(`--no-${option.name()}`, saysNo)];
}

/** `--max-requests`. */
export function longFlag({ flag = '' }: OptionRow): string {
  return new Option(flag).long ?? flag;
}

/** A value as the command line takes it. */
export function textOf({ kind }: OptionRow, value: unknown): string {
  if (kind.text !== undefined) return kind.text(value);
  return Array.isArray(value) ? value.join(',') : String(value);
}
