import { z } from 'zod';
import { LARGEST } from '../time/spread.ts';
import { suggestion } from './rule-error.ts';

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

/** An object with these fields and no other. `what`: as errors call it. */
export function closed<Fields extends z.ZodRawShape>(what: string, shape: Fields) {
  const known = Object.entries(shape).map(([field, schema]) => {
    const inner = Object.keys(innerShape(schema));
    return inner.length === 0 ? field : `${field} (${inner.join(', ')})`;
  });
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field${placeOf(issue.keys[0] ?? '', shape)}; ${what} has ${known.join(', ')}`
        : `expected ${what}, as an object`,
  });
}

/** Where an unknown field belongs: one level deeper, or to a name that is spelt like it. */
function placeOf(name: string, shape: z.ZodRawShape): string {
  const outer = Object.keys(shape).find((field) => Object.hasOwn(innerShape(shape[field]), name));
  if (outer !== undefined) return `, which stands in ${outer}`;
  return suggestion(
    name,
    Object.entries(shape).flatMap(([field, schema]) => [field, ...Object.keys(innerShape(schema))]),
  );
}

function innerShape(schema: unknown): object {
  if (schema instanceof z.ZodExactOptional) return innerShape(schema.unwrap());
  return schema instanceof z.ZodObject ? schema.shape : {};
}

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
