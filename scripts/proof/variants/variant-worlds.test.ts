import { expect, test } from 'vitest';
import { pairedWorlds } from './variant-worlds.ts';
import { VARIANTS } from './variants.ts';

test('lets every two variants of different points meet', () => {
  const met = new Set(
    pairedWorlds().flatMap(({ variants }) =>
      variants.flatMap((one) => variants.map((other) => `${one.name} ${other.name}`)),
    ),
  );
  const apart = VARIANTS.flatMap((one) =>
    VARIANTS.filter(({ name, point }) => point !== one.point && !met.has(`${one.name} ${name}`)),
  );
  expect(apart).toEqual([]);
});
