import { expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';

import { builtInWorld } from './built-in-world.ts';
import { ERROR_TABLE } from '../protocol/error-table.ts';
import type { World } from './world.ts';
import { worldJsonSchema, worldSchema } from './world-schema.ts';

type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T;

test('reads exactly what a world is', () => {
  expectTypeOf<Mutable<World>>().toEqualTypeOf<Mutable<z.infer<typeof worldSchema>>>();
  expect(worldSchema.parse(builtInWorld)).toEqual(builtInWorld);
});

test('is published as a JSON Schema that knows every section and every error', () => {
  const schema = JSON.stringify(worldJsonSchema());
  for (const name of [...Object.keys(builtInWorld), ...Object.keys(ERROR_TABLE)])
    expect(schema).toContain(`"${name}"`);
  expect(worldJsonSchema()).toMatchObject({ type: 'object', additionalProperties: false });
  expect(worldJsonSchema()).not.toHaveProperty('required');
});
