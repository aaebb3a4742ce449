import { z } from 'zod';
import { suggestion } from './input-error.ts';

/** An object with exactly these fields. The error for another field lists them. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field${hint(issue.keys[0] ?? '', shape)}; allowed: ${known.join(', ') || 'none'}`
        : 'expected an object',
  });
}

/** Where an unknown field belongs: one level deeper, or to a name that is spelt like it. */
function hint(name: string, shape: z.ZodRawShape): string {
  const inner = Object.entries(shape).map(([field, schema]) => [field, innerFields(schema)] as const);
  const outer = inner.find(([, fields]) => fields.includes(name));
  if (outer !== undefined) return `, which stands in ${outer[0]}`;
  return suggestion(name, inner.flat(2));
}

function innerFields(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodExactOptional) return innerFields(schema.unwrap());
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** For operations that take no body, or no query. */
export const emptyObject = closedObject({});
