import { type Command, Option } from 'commander';
import type { Kind, ValueOf } from './kinds.ts';

/** One option of a command: everything that knows of it reads it here. */
export interface OptionRow extends OptionDetails {
  /** As commander takes it: `--seed <n>`; empty: only a configuration, or a variable, says it. */
  readonly flag: string;
  readonly kind: Kind;
  /** What it does: in the help, in the schema of the configuration and in the docs. */
  readonly says: string;
}

/** What only some options have. */
interface OptionDetails {
  /** What its opposite does, whose flag begins with `--no-`. */
  readonly saysNo?: string;
  /** A configuration can say it: at this place, such as `caps.requests`, or (true) under its own name. */
  readonly setting?: string | true;
  /** The variable that stands for it: of a secret, or of what names the target. */
  readonly variable?: string;
  /** Absent from the command line, it has this value. */
  readonly default?: string | number;
  /** The word that it stands for when it is given alone. */
  readonly alone?: string;
}

type SettingKind = Kind & Required<Pick<Kind, 'schema'>>;

/** An option of the command line. */
export const option = <const Flag extends string, K extends Kind, const More extends OptionDetails = object>(
  flag: Flag,
  kind: K,
  says: string,
  more?: More,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- absent, it has no member
) => ({ flag, kind, says, ...(more as More) });

/** An option that a configuration can say too: under its own name, or at another place. */
export const setting = <
  const Flag extends string,
  K extends SettingKind,
  const Place extends string | true = true,
  const More extends OptionDetails = object,
>(
  flag: Flag,
  kind: K,
  says: string,
  place?: Place,
  more?: More,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- absent, it is true
) => ({ ...option(flag, kind, says, more), setting: (place ?? true) as Place });

/** Options by the names of their values. */
export type OptionRows = Readonly<Record<string, OptionRow>>;

/** The values of the options that were given: true for one that was given alone, false for its opposite. */
export type FlagsOf<Rows extends OptionRows> = {
  readonly [Name in keyof Rows]?:
    | ValueOf<Rows[Name]['kind']>
    | (Rows[Name] extends { readonly saysNo: string } ? false : never)
    | (Rows[Name] extends { readonly alone: string }
        ? never
        : Rows[Name]['flag'] extends `${string}[${string}`
          ? true
          : never);
};

/** An option that a configuration can say. */
interface SettingRow {
  readonly name: string;
  /** Such as `caps.requests`. */
  readonly place: string;
  readonly says: string;
  readonly kind: SettingKind;
}

/** The options among these that a configuration can say. */
export function settingRows(rows: OptionRows): readonly SettingRow[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    const place = placeOf(name, row);
    const { says, kind } = row;
    return place === undefined || !hasSchema(kind) ? [] : [{ name, place, says, kind }];
  });
}

function hasSchema(kind: Kind): kind is SettingKind {
  return kind.schema !== undefined;
}

/** Where a configuration says an option, if it can. */
export function placeOf(name: string, row: OptionRow): string | undefined {
  return row.setting === true ? name : row.setting;
}

/** Adds options to a command. `group`: the heading above them in its help, which shows all, or those that are `shown`. */
export function addOptions(
  command: Command,
  rows: OptionRows,
  group?: string,
  shown?: ReadonlySet<string>,
): Command {
  for (const [name, row] of Object.entries(rows))
    for (const parsed of optionsOf(row)) {
      if (group !== undefined) parsed.helpGroup(group);
      command.addOption(parsed.hideHelp(shown?.has(name) === false));
    }
  return command;
}

function optionsOf(row: OptionRow): readonly Option[] {
  if (row.flag === '') return [];
  const { parse } = row.kind;
  const parsed = new Option(row.flag, row.says);
  // Commander would make an option of this name that takes a value the opposite of another.
  if (parsed.required) parsed.negate = false;
  if (parse !== undefined) parsed.argParser(parse);
  if (row.alone !== undefined) parsed.preset(row.alone);
  if (row.default !== undefined) parsed.default(row.default);
  const opposite = oppositeFlag(row);
  return opposite === undefined ? [parsed] : [parsed, new Option(opposite, row.saysNo)];
}

/** `--max-requests`. */
export function longFlag({ flag }: OptionRow): string {
  return flag.split(' ', 1)[0] ?? '';
}

/** `--no-mock`, where there is one. */
export function oppositeFlag(row: OptionRow): string | undefined {
  return row.saysNo === undefined ? undefined : longFlag(row).replace('--', '--no-');
}
