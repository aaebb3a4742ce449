import { type Command, Option } from 'commander';
import type { Kind, ValueOf } from './kinds.ts';

/** One option of a command: everything that knows of it reads it here. */
export interface OptionRow extends OptionDetails {
  /** As commander takes it: `--seed <n>`; empty: only a configuration, or a variable, says it. */
  readonly flag: string;
  /** What it does: in the help, in the schema of the configuration and in the docs. */
  readonly says: string;
  readonly kind: Kind;
}

/** What only some options have. */
export interface OptionDetails {
  /** What its opposite does, whose flag begins with `--no-`. */
  readonly saysNo?: string;
  /** Its place in a configuration: `caps.requests`. */
  readonly setting?: string;
  /** It is no setting of a target. */
  readonly isOfWhole?: true;
  /** The variable that stands for it: of a secret, or of what names the target. */
  readonly variable?: string;
  /** Absent from the command line, it has this value. */
  readonly default?: string | number;
  /** The word that it stands for when it is given alone. */
  readonly alone?: string;
  /** Whether the short help shows it. */
  readonly isCommon?: true;
}

type SettingKind = Kind & Required<Pick<Kind, 'schema'>>;

/** An option whose kind and place are inferred; one with a setting has a kind that a configuration can say. */
export function option<K extends Kind, const More extends OptionDetails>(
  flag: string,
  says: string,
  kind: K,
  more?: More & (K extends SettingKind ? unknown : { readonly setting?: never }),
) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- absent, it has no member
  return { flag, says, kind, ...(more as More) };
}

/** Options by the names of their values. */
export type OptionRows = Readonly<Record<string, OptionRow>>;

/** The values of the options that were given. */
export type FlagsOf<Rows extends OptionRows> = {
  readonly [Name in keyof Rows]?: ValueOf<Rows[Name]['kind']>;
};

/** An option that a configuration can say. */
type SettingRow = OptionRow & { readonly setting: string; readonly kind: SettingKind };

/** The options among these that a configuration can say. */
export function settingRows(rows: OptionRows): readonly (readonly [string, SettingRow])[] {
  return Object.entries(rows).filter(
    (entry): entry is [string, SettingRow] => entry[1].setting !== undefined,
  );
}

/** Adds options to a command; `group`: the heading above them in its help. */
export function addOptions(command: Command, rows: OptionRows, group?: string): Command {
  for (const parsed of Object.values(rows).flatMap(optionsOf))
    command.addOption(group === undefined ? parsed : parsed.helpGroup(group));
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
  return new Option(flag).long ?? flag;
}

/** `--no-mock`, where there is one. */
export function oppositeFlag(row: OptionRow): string | undefined {
  return row.saysNo === undefined ? undefined : longFlag(row).replace('--', '--no-');
}

/** A value as the command line takes it. */
export function wordFor({ kind }: OptionRow, value: unknown): string {
  if (kind.text !== undefined) return kind.text(value);
  return Array.isArray(value) ? value.join(',') : String(value);
}
