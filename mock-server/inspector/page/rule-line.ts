import {
  type FieldSchema,
  fieldsIn,
  type LineWord,
  type RuleField,
  wordOf,
  wordsIn,
} from '../../rules/line.ts';

export const PLANS = ['faults', 'answers'] as const;

/** Faults, or chosen answers. */
export type Plan = (typeof PLANS)[number];

/** A JSON Schema, as far as the control API describes its rules with one. */
export interface RuleSchema extends FieldSchema {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, RuleSchema>>;
  readonly oneOf?: readonly RuleSchema[];
  readonly anyOf?: readonly RuleSchema[];
}

interface FormField extends RuleField {
  /** It says which requests the rule is for. */
  readonly isMatch: boolean;
  /** What its values mean. */
  readonly titles?: readonly string[];
}

/** The field that a line begins with, without its name. */
const FAULT = 'fault';
/** A line cannot hold a whole request. */
const IN_NO_LINE = new Set([FAULT, 'request']);

/** The fields that a rule of a plan has, by its declaration; those of a fault once the line names it. */
export function fieldsOf(plan: RuleSchema, line: string): readonly FormField[] {
  const rules = rulesIn(plan);
  const fault = valueIn(line, { name: FAULT, isMap: false });
  const rule = rules.find(({ title }) => title === undefined || title === fault);
  const { match, ...own } = rule?.properties ?? {};
  const fields = [
    ...fieldsIn(own).map((field) => ({ ...field, isMatch: false })),
    ...fieldsIn(match?.properties ?? {}).map((field) => ({ ...field, isMatch: true })),
  ].filter(({ name }) => !IN_NO_LINE.has(name));
  if (rules.length === 1) return fields;
  const values = rules.map(({ title = '' }) => title);
  const titles = rules.map(({ title, description }) => `${title}: ${description}`);
  const meaning = rule?.description ?? 'What happens';
  return [{ name: FAULT, meaning, values, titles, isMap: false, isMatch: false }, ...fields];
}

/** A plan is one rule, or a list of them; a rule is one of several kinds, or written as a line. */
function rulesIn(plan: RuleSchema): readonly RuleSchema[] {
  return plan.oneOf ?? plan.anyOf?.slice(0, 1).flatMap(rulesIn) ?? [plan];
}

/** The words of a line, as far as it has any, with the texts that they stand for. */
function textsIn(line: string): readonly LineWord[] {
  return wordsIn(line).words.map(([name, value]) => [
    name || FAULT,
    value.startsWith('"') ? unquoted(value) : value,
  ]);
}

function unquoted(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

export function lineOf(words: readonly LineWord[]): string {
  return words.map(([name, text]) => wordOf(name === FAULT ? '' : name, text)).join(' ');
}

/** What a line says of a field: of a map, `NAME: VALUE` line by line. */
export function valueIn(line: string, { name, isMap }: Pick<RuleField, 'name' | 'isMap'>): string {
  const words = textsIn(line);
  if (!isMap) return words.find(([each]) => each === name)?.[1] ?? '';
  const members = words.filter(([each]) => each.startsWith(`${name}.`));
  return members.map(([each, value]) => `${each.slice(name.length + 1)}: ${value}`).join('\n');
}

/** The line with another value of a field; empty: without it. Another fault keeps the fields that it has too. */
export function withValue(plan: RuleSchema, line: string, field: RuleField, value: string): string {
  const { name, isMap } = field;
  const others = textsIn(line).filter(([each]) => (isMap ? !each.startsWith(`${name}.`) : each !== name));
  if (name === FAULT) {
    const known = new Set(fieldsOf(plan, value).map((each) => each.name));
    return lineOf([[name, value], ...others.filter(([each]) => known.has(each))]);
  }
  if (!isMap) return lineOf([...others, ...(value === '' ? [] : [[name, value] as const])]);
  const members = value.matchAll(/(?<=^|\n)([^:\n]+): ?(.*)/g);
  return lineOf([
    ...others,
    ...Array.from(members, ([, member = '', text = '']): LineWord => [`${name}.${member.trim()}`, text]),
  ]);
}
