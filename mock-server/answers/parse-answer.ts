import { type RuleLineReading, ruleTokens, ruleValue } from '../protocol/rule-line.ts';
import { AnswerRuleError } from './answer-rule.ts';

const MATCHES = new Set(['endpoint', 'model', 'key', 'stream', 'contains', 'matches', 'in', 'nth', 'every']);
/** Names whose values are numbers, true or false; all others are texts, even if they look like numbers. */
const PLAIN = new Set(['stream', 'nth', 'every', 'times', 'tokens', 'latency', 'unchecked']);

const READING: RuleLineReading = {
  fail: (path, problem, options) => new AnswerRuleError(path, problem, options),
  needed: 'NAME=VALUE is needed, with a value of more than one word in quotes',
  isText: (name) => !PLAIN.has(name) && !name.startsWith('usage.'),
};

/**
 * A rule as one line: `text="It rains." contains=weather usage.output=40 headers.x-cache=hit`; more than one `text` are
 * taken in turn. A line that does not begin with NAME= is the text itself. Gives the rule as JSON would have it, still
 * to be compiled. Throws an AnswerRuleError.
 */
export function parseAnswer(line: string): Readonly<Record<string, unknown>> {
  if (!/^\s*[\w.-]+=/.test(line)) return { text: line };
  const rule: Record<string, unknown> = Object.create(null);
  for (const { name, value = '', word } of ruleTokens(line, READING)) {
    if (name === undefined) throw new AnswerRuleError([], `${READING.needed}: nothing is called ${word}`);
    put(rule, MATCHES.has(name) ? `match.${name}` : name, ruleValue(name, value, READING));
  }
  return { ...rule };
}

/** `usage.input` is a field of `usage`. */
function put(rule: Record<string, unknown>, name: string, value: unknown): void {
  const [owner, field] = name.split(/\.(.*)/s);
  if (owner === undefined || field === undefined) {
    rule[name] = name === 'text' && name in rule ? [rule[name], value].flat() : once(rule, name, value);
    return;
  }
  const inner = { ...Object(rule[owner]) };
  rule[owner] = { ...inner, [field]: once(inner, field, value) };
}

function once(fields: object, name: string, value: unknown): unknown {
  if (Object.hasOwn(fields, name)) throw new AnswerRuleError([name], 'given twice');
  return value;
}
