import { z } from 'zod';
import { each, InputError, parsed, suggestion } from '../input/input-error.ts';
import { JSON_VALUE, wordsIn } from './line.ts';
import { checkMatch, checkNames, MATCH, type RuleWords, type WorldNames } from './match.ts';
import type { Rule } from './rule-plan.ts';
import type { Shape } from './words.ts';

/** Rules of one kind: what they say, as JSON and on a line. */
export interface RuleKind<Words extends RuleWords> {
  readonly schema: z.ZodType<Words>;
  readonly examples: readonly string[];
  /** The field that a word without a name fills; absent: every word needs a name. */
  readonly word?: string;
  /** The fields of a rule, which say what their values are; `word` is what the line has without a name. */
  readonly fieldsOf: (word: string | undefined) => Shape;
}

/** Reads a rule from JSON or from a line. Throws an InputError. */
export function readRule<Words extends RuleWords>(given: unknown, kind: RuleKind<Words>): Words {
  const words = parsed(kind.schema, typeof given === 'string' ? readKnown(given, kind) : given);
  const { match = {}, after = 0 } = words;
  checkMatch(match);
  if (match.nth !== undefined && after !== 0)
    throw new InputError(['after'], 'cannot be combined with nth, which counts all matching requests');
  return words;
}

/** Compiles rules for a world, or one. Throws an InputError; in a list, its path begins with the index of the rule. */
export function compileEach<R extends Rule>(
  given: unknown,
  world: WorldNames,
  compile: (given: unknown) => R,
): readonly R[] {
  const compileOne = (one: unknown): R => {
    const rule = compile(one);
    checkNames(rule.words.match ?? {}, world);
    return rule;
  };
  return Array.isArray(given) ? each(given, compileOne) : [compileOne(given)];
}

export function ruleJsonSchema({ schema, examples }: RuleKind<RuleWords>) {
  const { $schema: _, ...rule } = z.toJSONSchema(schema, { io: 'input' });
  return { anyOf: [rule, { type: 'string', description: 'The same on one line', examples }] } as const;
}

/** Reads a line. Throws an InputError for an unknown field, with those that a line has; an unknown fault has none. */
function readKnown(line: string, kind: RuleKind<RuleWords>): Readonly<Fields> {
  const { word = '', fieldsOf } = kind;
  const read = readRuleLine(line, kind);
  const fields = fieldsOf(String(read[word]));
  const unknown = Object.keys(read).find((name) => !Object.hasOwn(fields, name));
  if (unknown === undefined || (word !== '' && !Object.hasOwn(fields, word))) return read;
  const names = Object.keys({ ...fields, ...MATCH }).filter(
    (name) => ![word, 'match', 'request'].includes(name),
  );
  const hint = `unknown field${suggestion(unknown, names)}; allowed: ${names.join(', ')}`;
  throw new InputError([unknown], hint, { isUnknown: true });
}

type Fields = Record<string, unknown>;

/** Reads a rule as JSON would have it, still to be checked. Throws an InputError with the place. */
export function readRuleLine(
  line: string,
  { word, fieldsOf }: Pick<RuleKind<RuleWords>, 'word' | 'fieldsOf'>,
): Readonly<Fields> {
  const text = line.trim();
  const { words, end } = wordsIn(text);
  const needed = `${word === undefined ? '' : `a ${word} and then `}NAME=VALUE is needed, with a value of more than one word in quotes`;
  if (end < text.length) throw new InputError([], `${needed}, from character ${end + 1} on`);
  const [first, ...others] = words.flatMap(([name, value]) => (name === '' ? [value] : []));
  if (others.length > 0 || (first !== undefined && word === undefined))
    throw new InputError([], `${needed}: a word has no name`);
  const fields = fieldsOf(first);
  const [rule, match]: [Fields, Fields] = [Object.create(null), Object.create(null)];
  if (word !== undefined && first !== undefined) rule[word] = first;
  for (const [name, value] of words.filter(([given]) => given !== '')) {
    if (Object.hasOwn(MATCH, name)) put(match, name, value, MATCH);
    else put(rule, name, value, fields);
  }
  return Object.keys(match).length === 0 ? { ...rule } : { ...rule, match: { ...match } };
}

/** Fills a field; of a field that takes a list, with a further item; with a dot, a member of a field. */
function put(rule: Fields, name: string, value: string, fields: Shape): void {
  const { field = '', member } = /^(?<field>[^.]*)(?:\.(?<member>.*))?$/.exec(name)?.groups ?? {};
  const given = rule[field];
  const filled = (item: unknown): unknown => {
    if (member !== undefined) return { ...Object(given), [member]: item };
    return given === undefined ? item : [given, item].flat();
  };
  const accepts = (item: unknown): boolean =>
    Object.hasOwn(fields, field) && fields[field]?.safeParse(filled(item)).success === true;
  const read = valueOf(name, value, accepts);
  const isTwice =
    member === undefined ? given !== undefined && !accepts(read) : Object.hasOwn(Object(given), member);
  if (isTwice) throw new InputError(name.split('.', 2), 'given twice');
  rule[field] = filled(read);
}

/** The value as JSON would have it: quoted text; a number, true or false unless the field takes only the word itself. */
function valueOf(name: string, value: string, accepts: (value: unknown) => boolean): unknown {
  try {
    const read: unknown = JSON_VALUE.test(value) ? JSON.parse(value.replace(/^(-?)0+(?=\d)/, '$1')) : value;
    return value.startsWith('"') || accepts(read) || !accepts(value) ? read : value;
  } catch (error) {
    throw new InputError([name], 'not a JSON string', { cause: error });
  }
}
