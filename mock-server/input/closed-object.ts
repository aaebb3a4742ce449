import { z } from 'zod';
import { suggestion } from './input-error.ts';

/** An object with exactly these fields. The error for another field lists them, and what stands in them. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const fields = Object.entries(shape).map(([field, schema]) => ({ field, inner: innerFields(schema) }));
  const known = fields.map(({ field, inner }) =>
    inner.length === 0 ? field : `${field} (${inner.join(', ')})`,
  );
  /** Where an unknown field belongs: one level deeper, or to a name that is spelt like it. */
  const hint = (name: string): string => {
    const outer = fields.find(({ inner }) => inner.includes(name));
    if (outer !== undefined) return `, which stands in ${outer.field}`;
    return suggestion(
      name,
      fields.flatMap(({ field, inner }) => [field, ...inner]),
    );
  };
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field${hint(issue.keys[0] ?? '')}; allowed: ${known.join(', ') || 'none'}`
        : 'expected an object',
  });
}

function innerFields(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodExactOptional) return innerFields(schema.unwrap());
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** For operations that take no body, or no query. */
export const emptyObject = closedObject({});
