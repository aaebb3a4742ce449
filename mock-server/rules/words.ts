import { z } from 'zod';
import { suggestion } from '../input/input-error.ts';
import { LARGEST } from '../time/spread.ts';
import { fieldsIn, type RuleField } from './line.ts';

/** The fields of an object, and what each takes. */
export type Shape = Readonly<Record<string, z.ZodType>>;

export const text = z.string('expected a text');

export const yesOrNo = z.boolean('expected true or false');

export function wholeNumber(minimum: number, maximum = LARGEST) {
  const error = `expected a whole number from ${minimum} to ${maximum}`;
  return z.int(error).min(minimum, error).max(maximum, error);
}

export function numberWithin(minimum: number, maximum: number) {
  const error = `expected a number from ${minimum} to ${maximum}`;
  return z.number(error).min(minimum, error).max(maximum, error);
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return z.literal(choices, {
    error: ({ input }) => `expected one of ${choices.join(', ')}${suggestion(input, choices)}`,
  });
}

export function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(record).filter((name): name is Name => Object.hasOwn(record, name));
}

export const texts = z.union(
  [text, z.array(text).min(1, 'expected a text')],
  'expected a text, or a list of texts',
);

/** The fields of a rule, for docs. */
export function describedFields(shape: Shape): readonly RuleField[] {
  const schemas = Object.entries(shape).map(([name, type]) => [name, z.toJSONSchema(type, { io: 'input' })]);
  return fieldsIn(Object.fromEntries(schemas));
}
