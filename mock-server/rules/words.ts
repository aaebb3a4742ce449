import { z } from 'zod';
import { suggestion } from '../input/input-error.ts';
import { LARGEST } from '../time/spread.ts';

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

/** A text, or a list of texts. */
export const texts = z.union(
  [text, z.array(text).min(1, 'expected a text')],
  'expected a text, or a list of texts',
);

/** The fields of a rule with what each means, its choices and its default; a field of a field with a dot. */
export function describedFields(shape: Shape): readonly (readonly [field: string, meaning: string])[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const described = z.toJSONSchema(schema, { io: 'input' });
    const { description = '', default: byDefault, enum: choices, properties } = described;
    const values = [
      ...(choices === undefined ? [] : [choices.join(', ')]),
      ...(byDefault === undefined || byDefault === '' ? [] : [`default ${JSON.stringify(byDefault)}`]),
    ];
    const meaning = values.length === 0 ? description : `${description} (${values.join('; ')})`;
    if (properties === undefined || name === 'request') return [[name, meaning] as const];
    return Object.entries(properties).map(([member]) => [`${name}.${member}`, meaning] as const);
  });
}
