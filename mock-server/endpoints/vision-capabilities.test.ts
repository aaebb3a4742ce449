import { expect, test } from 'vitest';

import { builtInWorld } from '../world/built-in-world.ts';
import { createCallers } from '../world/caller.ts';
import { visionCapabilities } from './vision-capabilities.ts';

const [primary, second] = createCallers(builtInWorld);
if (primary === undefined || second === undefined) throw new Error('The built-in world has too few keys');

test('says of each available model whether it has vision, in the shape that the world has chosen', () => {
  expect(JSON.parse(visionCapabilities(primary, { shape: 'list' }))).toEqual({
    object: 'list',
    data: [
      { id: 'compact-1', vision: false },
      { id: 'standard-1', vision: false },
      { id: 'vista-1', vision: true },
      { id: 'steady-1', vision: false },
    ],
  });
  expect(JSON.parse(visionCapabilities(second, { shape: 'map' }))).toEqual({
    models: { 'compact-1': false, 'reserve-1': false },
  });
  expect(JSON.parse(visionCapabilities(primary, { shape: 'flag' }))).toEqual({ vision: true });
  expect(JSON.parse(visionCapabilities(second, { shape: 'flag' }))).toEqual({ vision: false });
});
