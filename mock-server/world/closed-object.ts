import { z } from 'zod';

/** An object with exactly these fields. The error for another field lists them. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.map((name) => JSON.stringify(name)).join(', ')} is not known here; ${known === '' ? 'nothing is' : `known are ${known}`}`
        : undefined,
  });
}

/** For operations that take no body, or no query. */
export const NOTHING = closedObject({});
