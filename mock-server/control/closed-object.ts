import { z } from 'zod';

/** An object that has these fields and no other; the refusal of another lists the known ones. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `is not known here; ${known === '' ? 'nothing is' : `known are ${known}`}`
        : undefined,
  });
}

/** For operations that take no body, or no query. */
export const NOTHING = closedObject({});
