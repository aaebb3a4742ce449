import { jsonPointer, type Step } from './service-error.ts';

/** A rule that cannot be armed. Its message is one line: the place, and what would be possible there. */
export abstract class RuleError extends Error {
  /** Into the list of rules or the rule. Its names are the caller's. */
  readonly path: readonly Step[];
  /** Repeats nothing that the caller gave. */
  readonly problem: string;

  constructor(path: readonly Step[], problem: string, options?: ErrorOptions) {
    super(path.length === 0 ? problem : `${jsonPointer(path)}: ${problem}`, options);
    this.path = path;
    this.problem = problem;
  }
}

/** A word, or `name=value` with a value of one word or in JSON's quotes. */
const TOKEN = /\s*(?:(?<name>[\w.-]+)=(?<value>"(?:[^"\\]|\\.)*"|[^\s"]*)|(?<word>[^\s="]+))(?=\s|$)/y;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** One part of a rule that is written as a line: a word alone, or a name with its value. */
export interface RuleToken {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly word?: string | undefined;
}

/** How a rule is read: what the error of a wrong line is, and which names have values that are always text. */
export interface RuleLineReading {
  readonly fail: (path: readonly Step[], problem: string, options?: ErrorOptions) => Error;
  /** What a line consists of, for the error of one that does not. */
  readonly needed: string;
  readonly isText: (name: string) => boolean;
}

/** The parts of a line, in order. Throws what `fail` makes at the first character that begins none. */
export function ruleTokens(text: string, { fail, needed }: RuleLineReading): readonly RuleToken[] {
  const found: RuleToken[] = [];
  const trimmed = text.trim();
  for (let at = 0; at < trimmed.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(trimmed)?.groups;
    if (groups === undefined) throw fail([], `${needed}, from character ${at + 1} on`);
    found.push(groups);
  }
  return found;
}

/** The value as JSON would have it: quoted text, a number, true or false, or else the word itself. */
export function ruleValue(name: string, value: string, { fail, isText }: RuleLineReading): unknown {
  if (value.startsWith('"')) return unquoted(name, value, fail);
  if (isText(name)) return value;
  if (NUMBER.test(value)) return Number(value);
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function unquoted(name: string, value: string, fail: RuleLineReading['fail']): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    throw fail([name], 'not a JSON string', { cause: error });
  }
}
