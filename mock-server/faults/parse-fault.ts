import { FaultPlanError } from './rule.ts';

/** A word, or `name=value` with a value of one word or in JSON's quotes. */
const TOKEN = /\s*(?:(?<name>[\w.]+)=(?<value>"(?:[^"\\]|\\.)*"|[^\s"]*)|(?<word>[^\s="]+))(?=\s|$)/y;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Names whose values are always words, even if they look like numbers. */
const TEXTS = new Set(['model', 'key']);
const MATCHES = new Set(['endpoint', 'model', 'stream', 'key', 'nth']);

/**
 * A rule as one line: `gateway_failure phase=after-debit body=html times=1`, what it is for beside the rest
 * (`model="a b"`). Gives the rule as JSON would have it, still to be compiled; throws a FaultPlanError for what is no
 * such line.
 */
export function parseFault(text: string): Readonly<Record<string, unknown>> {
  const rule = new Map<string, unknown>();
  const match = new Map<string, unknown>();
  for (const { name, value, word } of tokens(text)) {
    if (name === undefined) put(rule, 'fault', word);
    else if (MATCHES.has(name)) put(match, name, readValue(name, value));
    else put(rule, name, readValue(name, value));
  }
  if (match.size > 0) put(rule, 'match', Object.fromEntries(match));
  return Object.fromEntries(rule);
}

interface Token {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly word?: string | undefined;
}

function tokens(text: string): readonly Token[] {
  const found: Token[] = [];
  const trimmed = text.trim();
  for (let at = 0; at < trimmed.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(trimmed)?.groups;
    if (groups === undefined)
      throw new FaultPlanError([], `a fault and then NAME=VALUE are needed, from character ${at + 1} on`);
    found.push(groups);
  }
  return found;
}

function put(fields: Map<string, unknown>, name: string, value: unknown): void {
  if (fields.has(name)) throw new FaultPlanError([name], 'given twice');
  fields.set(name, value);
}

function readValue(name: string, value = ''): unknown {
  if (value.startsWith('"')) return unquote(name, value);
  if (TEXTS.has(name)) return value;
  if (NUMBER.test(value)) return Number(value);
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function unquote(name: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new FaultPlanError([name], 'not a JSON string', { cause: error });
  }
}
