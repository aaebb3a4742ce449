import { z } from 'zod';
import { RuleError } from './rule-error.ts';

/** Reads a rule from JSON or from a line. Throws a RuleError; an unknown field is reported before a wrong value. */
export function readRule<Rule>(
  given: unknown,
  schema: z.ZodType<Rule>,
  readLine: (line: string) => object,
): Rule {
  const parsed = schema.safeParse(typeof given === 'string' ? readLine(given) : given);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const place = [...(issue?.path ?? []), ...field].map((step) => (typeof step === 'symbol' ? '' : step));
  throw new RuleError(place, issue?.message ?? 'is wrong');
}

/** The error of an object: a wrong type or an unknown field. */
export function objectError(needed: string, accepting: string, fields: readonly string[]) {
  return ({ code }: { readonly code: string }): string =>
    code === 'unrecognized_keys' ? `unknown field; ${accepting} ${fields.join(', ')}` : needed;
}

export function wholeNumber(minimum: number, maximum: number) {
  const error = `expected a whole number from ${minimum} to ${maximum}`;
  return z.int(error).min(minimum, error).max(maximum, error);
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return z.literal(choices, `expected one of ${choices.join(', ')}`);
}
