import { expect, test } from 'vitest';

import { builtInWorld } from '../world/built-in-world.ts';
import { compileFaults } from './compile-faults.ts';

test('refuses a rule for a key that the world does not have, with the keys it has', () => {
  expect(() => compileFaults(['timeout', 'timeout key=nobody'], builtInWorld)).toThrow(
    '/1/match/key: no key of this world; it has primary, second, unscoped',
  );
});

test('refuses a rule for a model that the world does not have', () => {
  expect(() => compileFaults(['timeout model=other'], builtInWorld)).toThrow(
    '/0/match/model: no model of this world; it has compact-1,',
  );
});

test('takes a rule for a key and a model of the world, and for a reserved model ID', () => {
  const rules = ['timeout key=second model=compact-1', 'timeout model="fault:timeout"'];
  expect(compileFaults(rules, builtInWorld)).toHaveLength(2);
});
