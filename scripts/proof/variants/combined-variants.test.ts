import { expect, test } from 'vitest';
import { VARIANTS } from './variants.ts';
import { pairedWorlds } from './variant-worlds.ts';
import { faultsIn, summaryOf } from '../test-support/summary-of.ts';

const WORLDS = pairedWorlds();

test('lets every two variants of different points meet', () => {
  const met = new Set(
    WORLDS.flatMap(({ variants }) =>
      variants.flatMap((one) => variants.map((other) => `${one.name} ${other.name}`)),
    ),
  );
  const apart = VARIANTS.flatMap((one) =>
    VARIANTS.filter(({ name, point }) => point !== one.point && !met.has(`${one.name} ${name}`)),
  );
  expect(apart).toEqual([]);
});

test.concurrent.each(
  WORLDS.map((world) => [world.variants.map(({ name }) => name).join(', '), world] as const),
)('finds nothing wrong with %s together', async (_, world) => {
  const summary = await summaryOf(world, 'live');
  expect(faultsIn(summary)).toEqual([]);
  expect(summary.outcome).toBe('conformant');
});
