import { type Command, InvalidArgumentError, Option } from 'commander';
import type { z as Zod, ZodType } from 'zod';

/** What makes schemas; it is loaded only where there is a configuration. */
export type Schemas = typeof Zod;

/** Where a setting stands. */
export interface SettingPlace {
  /** `chat-conformance.config.json#/targets/staging/tier`. */
  readonly place: string;
  /** Leads to a file beside the configuration. */
  readonly inFolder: (file: string) => string;
}

/** What an option takes on the command line, and in a configuration if that can say it. */
export interface Kind {
  /** Reads a word of the command line; commander turns its error into one line that names the option. Absent: the word itself. */
  parse?(this: void, word: string, before?: unknown): unknown;
  schema?(this: void, z: Schemas): ZodType;
  /** The value that a setting stands for; absent: the setting itself. */
  ofSetting?(this: void, setting: unknown, at: SettingPlace): unknown;
}

type SettingKind = Kind & Required<Pick<Kind, 'schema'>>;

/** The value of an option of a kind. */
type ValueOf<K> = K extends { parse(word: string, before?: never): infer Value }
  ? Value
  : K extends { ofSetting(setting: never, at: SettingPlace): infer Value }
    ? Value
    : never;

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

/** One option of a command: everything that knows of it reads it here. */
export interface OptionRow extends OptionDetails {
  /** As commander takes it: `--seed <n>`; empty: only a configuration, or a variable, says it. */
  readonly flag: string;
  readonly kind: Kind;
  /** What it does: in the help, in the schema of the configuration and in the docs. */
  readonly says: string;
}

/** Options by the names of their values. */
export type OptionRows = Readonly<Record<string, OptionRow>>;

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
>(
  flag: Flag,
  kind: K,
  says: string,
  place?: Place,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- absent, it is true
) => ({ flag, kind, says, setting: (place ?? true) as Place });

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

/** The options among these that a configuration can say, each with its place, such as `caps.requests`. */
export function settingRows(rows: OptionRows) {
  return Object.entries(rows).flatMap(([name, { setting: at, says, kind }]) => {
    const { schema, ofSetting } = kind;
    if (at === undefined || schema === undefined) return [];
    return [{ name, place: at === true ? name : at, says, schema, ofSetting }];
  });
}

/** Adds options to a command. `group`: the heading above them in its help, which shows all, or those that are `shown`. */
export function addOptions(command: Command, rows: OptionRows, group?: string, shown?: ReadonlySet<string>) {
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
  return row.saysNo === undefined ? [parsed] : [parsed, new Option(oppositeFlag(row), row.saysNo)];
}

/** `--max-requests`. */
export function longFlag({ flag }: OptionRow): string {
  return flag.split(' ', 1)[0] ?? '';
}

/** `--no-mock`. */
export function oppositeFlag(row: OptionRow): string {
  return longFlag(row).replace('--', '--no-');
}

/** A word that the kind of an option does not take. */
export function refused(problem: string): never {
  throw new InvalidArgumentError(problem);
}
