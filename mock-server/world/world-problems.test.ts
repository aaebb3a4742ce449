import { expect, test } from 'vitest';
import { builtInWorld } from './built-in-world.ts';
import { worldProblems } from './world-problems.ts';

test('finds nothing in the built-in world', () => {
  expect(worldProblems(builtInWorld)).toEqual([]);
});

test('finds names and keys given twice, and names that name nothing', () => {
  const [key] = builtInWorld.keys;
  if (key === undefined) throw new Error('The built-in world has no key');
  const world = { ...builtInWorld, keys: [key, { ...key, workspace: 'none', models: ['none'] }] };
  expect(worldProblems(world).map(({ pointer }) => pointer)).toEqual([
    '/keys/1/name',
    '/keys/1/key',
    '/keys/1/models/0',
    '/keys/1/workspace',
  ]);
});
