import { z } from 'zod';

/** An object with exactly these fields. The error for another field lists them. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field ${issue.keys.map((name) => JSON.stringify(name)).join(', ')}; allowed: ${known === '' ? 'none' : known}`
        : undefined,
  });
}

/** For operations that take no body, or no query. */
export const emptyObject = closedObject({});
