import type { ArmedRule, Rule } from './rule-plan.ts';

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
