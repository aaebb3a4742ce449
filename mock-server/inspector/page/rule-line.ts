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

/** A word that a line can hold. */
export interface LineWord {
  readonly name: string;
  readonly meaning: string;
  /** Empty: any. */
  readonly values: readonly string[];
}

/** What can stand in a line of a plan: the names of its faults, then what the named one takes. Answers have no names. */
export function lineHelp(plan: RuleSchema, line: string): readonly LineWord[] {
  const rules = rulesIn(plan);
  const named = rules.find(({ title }) => title === undefined || title === line.trim().split(/\s/, 1)[0]);
  if (named !== undefined) return wordsIn(named.properties);
  return rules.map(({ title = '', description = '' }) => ({ name: title, meaning: description, values: [] }));
}

/** A plan is one rule, or a list of them; a rule is one of several kinds, or written as a line. */
function rulesIn(plan: RuleSchema): readonly RuleSchema[] {
  return plan.oneOf ?? plan.anyOf?.slice(0, 1).flatMap(rulesIn) ?? [plan];
}

/** A line names its fault first, and cannot hold a whole request. The control API reads no files. */
const IN_NO_LINE = new Set(['fault', 'request', 'file']);

function wordsIn(properties: RuleSchema['properties'] = {}, prefix = ''): readonly LineWord[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (IN_NO_LINE.has(name)) return [];
    if (schema.properties !== undefined)
      return wordsIn(schema.properties, name === 'match' ? '' : `${name}.`);
    const word = `${prefix}${name}${schema.type === 'object' ? '.NAME' : ''}`;
    const values = valuesOf(schema);
    const byDefault = schema.default === undefined ? '' : `default: ${JSON.stringify(schema.default)}`;
    const meaning = [schema.description ?? '', values.join(' | '), byDefault].filter((part) => part !== '');
    return [{ name: word, meaning: meaning.join('; '), values }];
  });
}

function valuesOf(schema: RuleSchema): readonly string[] {
  if (schema.type === 'boolean') return ['true', 'false'];
  return (schema.enum ?? (schema.const === undefined ? [] : [schema.const])).map(String);
}

/** Lines that a line can become by its next word. A name that takes any value ends with `=`. */
export function completions(plan: RuleSchema, line: string): readonly string[] {
  const [before = ''] = /^.*\s/s.exec(line.trimStart()) ?? [];
  const isName = before === '' && rulesIn(plan).length > 1;
  if (isName) return rulesIn(plan).flatMap(({ title }) => title ?? []);
  return lineHelp(plan, before)
    .filter(({ name }) => !before.includes(` ${name}=`))
    .flatMap(({ name, values }) => (values.length === 0 ? [''] : values).map((value) => `${name}=${value}`))
    .map((word) => `${before}${word}`);
}
