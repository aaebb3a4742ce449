import { expect, test } from 'vitest';
import { below, valueAt } from './json-pointer.ts';

test('returns the member given a pointer through objects and arrays', () => {
  expect(valueAt({ choices: [{ 'a/b~c': 7 }] }, '/choices/0/a~1b~0c')).toBe(7);
});

test('returns the whole given the empty pointer', () => {
  expect(valueAt([1], '')).toEqual([1]);
});

test('returns undefined given a pointer to nothing, or to what objects inherit', () => {
  expect(valueAt({ a: 1 }, '/b/c')).toBeUndefined();
  expect(valueAt({ a: 1 }, '/toString')).toBeUndefined();
  expect(valueAt([1], '/length')).toBeUndefined();
});

test('returns a pointer that leads back given names that need escaping', () => {
  const pointer = below(below('', 'a/b'), '~');
  expect([pointer, valueAt({ 'a/b': { '~': 1 } }, pointer)]).toEqual(['/a~1b/~0', 1]);
});

test('knows elements by their index in plain digits alone', () => {
  const list = Array.from({ length: 12 }, (_, index) => index);
  expect([valueAt(list, '/11'), valueAt(list, '/ 1'), valueAt(list, '/1 '), valueAt(list, '/x1')]).toEqual([
    11,
    undefined,
    undefined,
    undefined,
  ]);
});
