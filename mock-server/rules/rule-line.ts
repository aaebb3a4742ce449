import { RuleError } from './rule-error.ts';

/** A word, or `name=value` with a value of one word or in JSON's quotes. */
const TOKEN = /\s*(?:(?<name>[\w.-]+)=(?<value>"(?:[^"\\]|\\.)*"|[^\s"]*)|(?<word>[^\s="]+))(?=\s|$)/y;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** How the rules of one language are written on a line. */
interface LineSyntax {
  /** What a line consists of, for the error of one that does not. */
  readonly needed: string;
  /** Names whose values are always text, even if they look like numbers. */
  readonly isText: (name: string) => boolean;
  /** The field that a name fills, or the field of a field. */
  readonly placeOf: (name: string) => readonly [field: string, inner?: string];
  /** The field that a word without a name fills; absent: every word needs a name. */
  readonly word?: string;
  /** The field whose further values make it a list; every other is given once. */
  readonly list?: string;
}

type Fields = Record<string, unknown>;

/** Reads a rule as JSON would have it, still to be compiled. Throws a RuleError with the place. */
export function readRuleLine(line: string, syntax: LineSyntax): Readonly<Fields> {
  const rule: Fields = Object.create(null);
  for (const { name, value = '', word = '' } of tokensOf(line.trim(), syntax.needed)) {
    if (name !== undefined) put(rule, syntax.placeOf(name), valueOf(name, value, syntax), syntax.list);
    else if (syntax.word !== undefined) put(rule, [syntax.word], word);
    else throw new RuleError([], `${syntax.needed}: nothing is called ${word}`);
  }
  return { ...rule };
}

type Token = Readonly<Partial<Record<string, string>>>;

function tokensOf(line: string, needed: string): readonly Token[] {
  const found: Token[] = [];
  for (let at = 0; at < line.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(line)?.groups;
    if (token === undefined) throw new RuleError([], `${needed}, from character ${at + 1} on`);
    found.push(token);
  }
  return found;
}

/** The value as JSON would have it: quoted text, a number, true or false, or else the word itself. */
function valueOf(name: string, value: string, { isText }: LineSyntax): unknown {
  if (value.startsWith('"')) return unquoted(name, value);
  if (isText(name)) return value;
  if (NUMBER.test(value)) return Number(value);
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function unquoted(name: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new RuleError([name], 'not a JSON string', { cause: error });
  }
}

function put(rule: Fields, [field, inner]: readonly [string, string?], value: unknown, list?: string): void {
  const given = rule[field];
  if (inner !== undefined && (given === undefined || typeof given === 'object')) {
    const fields = { ...given };
    if (Object.hasOwn(fields, inner)) throw new RuleError([inner], 'given twice');
    rule[field] = { ...fields, [inner]: value };
  } else if (given === undefined) rule[field] = value;
  else if (field === list && inner === undefined) rule[field] = [given, value].flat();
  else throw new RuleError([field], 'given twice');
}
