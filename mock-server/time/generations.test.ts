import { expect, test } from 'vitest';
import { Generations } from './generations.ts';

test('holds the last values up to its capacity, and at most twice as many', () => {
  const map = new Generations<number>({ ms: Infinity, capacity: 5 });
  let forgotten = 0;
  for (let index = 0; index < 100; index += 1) {
    forgotten += map.set(`k${index}`, index, 0).size;
    for (let back = 0; back < Math.min(5, index + 1); back += 1)
      expect(map.get(`k${index - back}`)).toBe(index - back);
    expect(map.size).toBeLessThanOrEqual(10);
    expect(map.size + forgotten).toBe(index + 1);
  }
  expect(map.get('k0')).toBeUndefined();
});

test('holds every value for its time, however many there are, and none for three times as long', () => {
  const map = new Generations<number>({ ms: 100, capacity: null });
  for (let now = 0; now < 1000; now += 1) {
    map.set(`k${now}`, now, now);
    expect(map.get(`k${Math.max(0, now - 100)}`)).toBe(Math.max(0, now - 100));
    expect(map.size).toBeLessThanOrEqual(203);
  }
});

test('gives the newest value of a key', () => {
  const map = new Generations<string>({ ms: Infinity, capacity: 2 });
  for (const [key, value] of [
    ['a', 'old'],
    ['b', 'b'],
    ['a', 'new'],
  ] as const)
    map.set(key, value, 0);
  expect(map.get('a')).toBe('new');
});
