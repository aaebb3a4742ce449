import { expect, test } from 'vitest';

import { BoundedMap } from './bounded-map.ts';

test('holds the last entries up to its capacity, and never twice as many', () => {
  const map = new BoundedMap<number>(5);
  for (let index = 0; index < 100; index += 1) {
    map.set(`k${index}`, index);
    for (let back = 0; back < Math.min(5, index + 1); back += 1) {
      expect(map.get(`k${index - back}`)).toBe(index - back);
    }
    expect(map.size).toBeLessThan(10);
  }
  expect(map.get('k0')).toBeUndefined();
});

test('gives the newest value of a key, and none once it was deleted', () => {
  const map = new BoundedMap<string>(2);
  map.set('a', 'old');
  map.set('b', 'b');
  map.set('a', 'new');
  expect(map.get('a')).toBe('new');
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
});
