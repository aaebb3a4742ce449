import { expect, test } from 'vitest';
import { ERROR_TABLE } from '../protocol/error-table.ts';
import { builtInWorld } from './built-in-world.ts';
import { worldJsonSchema, worldSchema } from './world-schema.ts';

test('reads the built-in world unchanged', () => {
  expect(worldSchema.parse(builtInWorld)).toEqual(builtInWorld);
});

test('is published as a JSON Schema that knows every section and every error', () => {
  const schema = JSON.stringify(worldJsonSchema());
  for (const name of [...Object.keys(builtInWorld), ...Object.keys(ERROR_TABLE)])
    expect(schema).toContain(`"${name}"`);
  expect(worldJsonSchema()).toMatchObject({ type: 'object', additionalProperties: false });
  expect(worldJsonSchema()).not.toHaveProperty('required');
});
