// What a rule is on a line, and in a form: the mock and its page read both here. Loads no schema.

/** A word, or `name=value` with a value of one word or in JSON's quotes. */
const WORD = /\s*(?:([\w.-]+)=("(?:[^"\\]|\\.)*"|[^\s"]*)|([^\s="]+))(?=\s|$)/gy;

/** A field and its value as it is written; a word without a name has an empty one. */
export type LineWord = readonly [name: string, value: string];

/** The words of a line; from `end` on it has none. */
export function wordsIn(line: string): { readonly words: readonly LineWord[]; readonly end: number } {
  const found = [...line.matchAll(WORD)];
  const words = found.map(([, name = '', value = '', word = '']): LineWord => [name, value || word]);
  return { words, end: found.map(([whole]) => whole).join('').length };
}

/** What stands for something other than its text: as in JSON, but a number may begin with zeros (`nth=07`). */
export const JSON_VALUE = /^(?:true|false|-?\d+(?:\.\d+)?|".*")$/s;

/** A word of a line. A text that would end early, or `meansElse`, stands in quotes. */
export function wordOf(name: string, text: string, meansElse = false): string {
  if (name === '') return text;
  return `${name}=${meansElse || /^$|[\s"=]/.test(text) ? JSON.stringify(text) : text}`;
}

/** A rule of JSON as a line that means the same, as far as a line can say it. */
export function asLine({ fault, match, ...rest }: Readonly<Record<string, unknown>>): string {
  const words = Object.entries({ ...rest, ...Object(match) }).flatMap(([name, value]) =>
    lineWords(name, value),
  );
  return [...(typeof fault === 'string' ? [fault] : []), ...words].join(' ');
}

/** `usage.output=40` for a member of an object; one word for each text of a list. */
function lineWords(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => lineWords(name, each));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([member, each]) => lineWords(`${name}.${member}`, each));
  return [wordOf(name, String(value), typeof value === 'string' && JSON_VALUE.test(value))];
}

/** What a JSON Schema says of a field. */
export interface FieldSchema {
  readonly description?: string;
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: object;
}

export interface RuleField {
  /** As on the line: `times`, `usage.output`. */
  readonly name: string;
  /** With its choices and its default. */
  readonly meaning: string;
  /** Empty: any text. */
  readonly values: readonly string[];
  /** It has members with names of their own, on the line `headers.NAME`. */
  readonly isMap: boolean;
}

/** The fields of a rule, as its schema declares them; a field of a field with a dot. */
export function fieldsIn(schemas: Readonly<Record<string, FieldSchema>>): readonly RuleField[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const { description = '', type, default: byDefault, properties } = schema;
    const choices = (schema.enum ?? [schema.const ?? []].flat()).map(String);
    const notes = [
      ...(choices.length > 0 ? [choices.join(', ')] : []),
      ...(byDefault === undefined || byDefault === '' ? [] : [`default ${JSON.stringify(byDefault)}`]),
    ];
    const meaning = notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
    const values = type === 'boolean' ? ['true', 'false'] : choices;
    const members = Object.keys(properties ?? {}).map((member) => `${name}.${member}`);
    const names = members.length === 0 || name === 'request' ? [name] : members;
    const isMap = type === 'object' && properties === undefined;
    return names.map((each) => ({ name: each, meaning, values, isMap }));
  });
}
