export const PLANS = ['faults', 'answers'] as const;

/** Faults, or chosen answers. */
export type Plan = (typeof PLANS)[number];

/** A JSON Schema, as far as the control API describes its rules with one. */
export interface RuleSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, RuleSchema>>;
  readonly oneOf?: readonly RuleSchema[];
  readonly anyOf?: readonly RuleSchema[];
}

/** A field of the form for a rule. */
export interface RuleField {
  /** As on the line: `times`, `usage.output`. */
  readonly name: string;
  readonly meaning: string;
  /** With what they are called; empty: any text. */
  readonly values: readonly (readonly [value: string, title: string])[];
  /** It has members with names of their own, on the line `headers.NAME`. */
  readonly isMap: boolean;
  /** It says which requests the rule is for. */
  readonly isMatch: boolean;
}

/** The fields that a rule of a plan has, by its declaration; those of a fault once the line names it. */
export function fieldsOf(plan: RuleSchema, line: string): readonly RuleField[] {
  const rules = rulesIn(plan);
  const fault = wordsIn(line).find(([name]) => name === FAULT)?.[1];
  const rule = rules.find(({ title }) => title === undefined || title === fault);
  const fields = fieldsIn(rule?.properties);
  if (rules.length === 1) return fields;
  const values = rules.map(
    ({ title = '', description = '' }) => [title, `${title}: ${description}`] as const,
  );
  const meaning = rule?.description ?? 'What happens';
  return [{ name: FAULT, meaning, values, isMap: false, isMatch: false }, ...fields];
}

/** A plan is one rule, or a list of them; a rule is one of several kinds, or written as a line. */
function rulesIn(plan: RuleSchema): readonly RuleSchema[] {
  return plan.oneOf ?? plan.anyOf?.slice(0, 1).flatMap(rulesIn) ?? [plan];
}

/** The field that a line begins with, without its name. */
const FAULT = 'fault';
/** A line cannot hold a whole request, and the control API reads no files. */
const IN_NO_LINE = new Set([FAULT, 'request', 'file']);

function fieldsIn(properties: RuleSchema['properties'] = {}, prefix = '', isMatch = false): RuleField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (IN_NO_LINE.has(name)) return [];
    if (name === 'match') return fieldsIn(schema.properties, '', true);
    if (schema.properties !== undefined) return fieldsIn(schema.properties, `${name}.`, isMatch);
    return [fieldOf(`${prefix}${name}`, schema, isMatch)];
  });
}

function fieldOf(name: string, schema: RuleSchema, isMatch: boolean): RuleField {
  const one = schema.const === undefined ? [] : [schema.const];
  const words = schema.type === 'boolean' ? ['true', 'false'] : (schema.enum ?? one).map(String);
  const values = words.map((word) => [word, word] as const);
  const byDefault = schema.default === undefined ? '' : ` (${JSON.stringify(schema.default)} if absent)`;
  const meaning = `${(schema.description ?? '').replaceAll('`', '')}${byDefault}`;
  return { name, meaning, values, isMap: schema.type === 'object', isMatch };
}

/** A word of a line: the name of a field, and its value as a text. */
type Word = readonly [name: string, value: string];

const WORD = /([\w.-]+)=("(?:[^"\\]|\\.)*"|[^\s"]*)|(\S+)/g;

function wordsIn(line: string): readonly Word[] {
  return Array.from(line.matchAll(WORD), ([, name = FAULT, value = '', word = '']) => [
    name,
    word + (value.startsWith('"') ? unquoted(value) : value),
  ]);
}

function unquoted(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

/** Words as a line for `--fault` or `--answer`. */
export function lineOf(words: readonly Word[]): string {
  const texts = words.map(([name, value]) => {
    const text = /^$|[\s"=]/.test(value) ? JSON.stringify(value) : value;
    return name === FAULT ? value : `${name}=${text}`;
  });
  return texts.join(' ');
}

/** What a line says of a field: of a map, `NAME: VALUE` line by line. */
export function valueIn(line: string, { name, isMap }: Pick<RuleField, 'name' | 'isMap'>): string {
  const words = wordsIn(line);
  if (!isMap) return words.find(([each]) => each === name)?.[1] ?? '';
  const members = words.filter(([each]) => each.startsWith(`${name}.`));
  return members.map(([each, value]) => `${each.slice(name.length + 1)}: ${value}`).join('\n');
}

/** The line with another value of a field; empty: without it. Another fault keeps the fields that it has too. */
export function withValue(plan: RuleSchema, line: string, field: RuleField, value: string): string {
  const { name, isMap } = field;
  const isOther = ([each]: Word): boolean => (isMap ? !each.startsWith(`${name}.`) : each !== name);
  const others = wordsIn(line).filter(isOther);
  if (name === FAULT) {
    const known = new Set(fieldsOf(plan, value).map((each) => each.name));
    return lineOf([[name, value], ...others.filter(([each]) => known.has(each))]);
  }
  const members = Array.from(
    isMap ? value.matchAll(/^([^:\n]+): ?(.*)$/gm) : [],
    ([, member = '', text = '']): Word => [`${name}.${member.trim()}`, text],
  );
  return lineOf([...others, ...members, ...(isMap || value === '' ? [] : [[name, value] as const])]);
}
