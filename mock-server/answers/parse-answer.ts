import { readRuleLine } from '../rules/rule-line.ts';

const MATCHES = new Set(['endpoint', 'model', 'key', 'stream', 'contains', 'matches', 'in', 'nth', 'every']);
/** Names whose values are numbers, true or false; all others are texts. */
const PLAIN = new Set(['stream', 'nth', 'every', 'times', 'tokens', 'latency', 'unchecked']);

/**
 * A rule as one line: `text="It rains." contains=weather usage.output=40 headers.x-cache=hit`; more than one `text` are
 * taken in turn. A line that does not begin with NAME= is the text itself. Throws a RuleError.
 */
export function parseAnswer(line: string): Readonly<Record<string, unknown>> {
  if (!/^\s*[\w.-]+=/.test(line)) return { text: line };
  return readRuleLine(line, {
    needed: 'NAME=VALUE is needed, with a value of more than one word in quotes',
    isText: (name) => !PLAIN.has(name) && !name.startsWith('usage.'),
    placeOf,
    list: 'text',
  });
}

/** `usage.input` is a field of `usage`. */
function placeOf(name: string): [string, string?] {
  if (MATCHES.has(name)) return ['match', name];
  const dot = name.indexOf('.');
  return dot === -1 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}
