import { expect, test } from 'vitest';
import { combinedWorlds } from './variant-worlds.ts';
import { VARIANTS } from './variants.ts';

test('combines every variant once, and never two of one point', () => {
  const combined = combinedWorlds().map(({ variants }) => variants);
  expect(new Set(combined.flat())).toEqual(new Set(VARIANTS));
  for (const variants of combined)
    expect(new Set(variants.map(({ point }) => point)).size).toBe(variants.length);
});
