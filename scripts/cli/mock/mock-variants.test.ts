import { expect, test } from 'vitest';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { UsageError } from '../terminal/exit.ts';
import { withVariants } from './mock-variants.ts';

test('changes what the variants choose, and nothing else', () => {
  const { choices, ...others } = withVariants(['errors-at-the-root', 'crlf-events']);
  expect(choices.errors).toEqual({ ...builtInWorld.choices.errors, shape: 'root' });
  expect(choices.stream).toEqual({ ...builtInWorld.choices.stream, newline: 'crlf' });
  expect(choices.models).toEqual(builtInWorld.choices.models);
  expect(others).toMatchObject({ models: builtInWorld.models, keys: builtInWorld.keys });
});

test('names the variants there are given one that the mock has not', () => {
  expect(() => withVariants(['crlf'])).toThrow(UsageError);
  expect(() => withVariants(['crlf'])).toThrow(
    '--variant crlf is not a variant of the mock: choose one of temperature-to-one, ',
  );
});
