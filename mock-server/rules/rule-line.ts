import { InputError } from '../input/input-error.ts';
import { MATCH } from './match.ts';
import type { ArmedRule, Rule } from './rule-plan.ts';
import type { Shape } from './words.ts';

/** A word, or `name=value` with a value of one word or in JSON's quotes. */
const TOKEN = /\s*(?:(?<name>[\w.-]+)=(?<value>"(?:[^"\\]|\\.)*"|[^\s"]*)|(?<word>[^\s="]+))(?=\s|$)/y;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** How rules of one kind are written on a line. */
export interface LineSyntax {
  /** What a line consists of, for the error of one that does not. */
  readonly needed: string;
  /** The field that a word without a name fills; absent: every word needs a name. */
  readonly word?: string;
  /** The fields of a rule, which say what their values are; `word` is what the line has without a name. */
  readonly fieldsOf: (word: string | undefined) => Shape;
}

type Fields = Record<string, unknown>;
type Token = Readonly<Partial<Record<string, string>>>;

/** Reads a rule as JSON would have it, still to be checked. Throws a InputError with the place. */
export function readRuleLine(line: string, { needed, word, fieldsOf }: LineSyntax): Readonly<Fields> {
  const tokens = tokensOf(line.trim(), needed);
  const [first, ...others] = tokens.flatMap((token) => token['word'] ?? []);
  if (others.length > 0 || (first !== undefined && word === undefined))
    throw new InputError([], `${needed}: a word has no name`);
  const fields = fieldsOf(first);
  const [rule, match]: [Fields, Fields] = [Object.create(null), Object.create(null)];
  if (word !== undefined && first !== undefined) rule[word] = first;
  for (const { name, value = '' } of tokens) {
    if (name === undefined) continue;
    if (Object.hasOwn(MATCH, name)) put(match, name, value, MATCH);
    else put(rule, name, value, fields);
  }
  return Object.keys(match).length === 0 ? { ...rule } : { ...rule, match: { ...match } };
}

function tokensOf(line: string, needed: string): readonly Token[] {
  const found: Token[] = [];
  for (let at = 0; at < line.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(line)?.groups;
    if (token === undefined) throw new InputError([], `${needed}, from character ${at + 1} on`);
    found.push(token);
  }
  return found;
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
  if (!value.startsWith('"')) {
    const plain = plainValue(value);
    return accepts(plain) || !accepts(value) ? plain : value;
  }
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new InputError([name], 'not a JSON string', { cause: error });
  }
}

function plainValue(value: string): unknown {
  if (NUMBER.test(value)) return Number(value);
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

/** A text that a line would end early, or read as a number, true or false. */
const NEEDS_QUOTES = /^$|[\s"=]|^-?\d+(?:\.\d+)?$|^(?:true|false)$/;

/** A rule of JSON as a line that means the same, as far as a line can say it. */
export function asLine({ fault, match, ...rest }: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries({ ...rest, ...Object(match) });
  const words = fields.flatMap(([name, value]) => lineWords(name, value));
  return [...(typeof fault === 'string' ? [fault] : []), ...words].join(' ');
}

/** `usage.output=40` for a member of an object; one word for each text of a list. */
function lineWords(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => lineWords(name, each));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([member, each]) => lineWords(`${name}.${member}`, each));
  const isQuoted = typeof value === 'string' && NEEDS_QUOTES.test(value);
  return [`${name}=${isQuoted ? JSON.stringify(value) : String(value)}`];
}

const LONGEST = 100;

/** The sentence that reports a rule that was never used. */
export function neverUsed({ id, rule }: ArmedRule<Rule>): string {
  const line = asLine({ ...rule.words });
  const shown = line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
  return `${id} (${shown}) was never used`;
}
