import { expect, test } from 'vitest';
import { isCount, isText, memberNamed, words } from './names.ts';

test('finds the first of the names, however it is written, whose value fits', () => {
  const object = { B: '', 'a-B': 'x', c_d: 'y', C: 7 };
  expect(memberNamed(object, ['b', 'cd', 'ab'], isText)).toEqual({ pointer: '/c_d', value: 'y' });
  expect(memberNamed(object, ['c'], isText)).toBeUndefined();
  expect(memberNamed(object, ['c'], isCount, '/at')).toEqual({ pointer: '/at/C', value: 7 });
});

test.each([
  [0, true],
  [7, true],
  [-1, false],
  [1.5, false],
  ['7', false],
  [2 ** 53, false],
  [undefined, false],
])('says whether %j can count something: %s', (value, expected) => {
  expect(isCount(value)).toBe(expected);
});

test('returns the words of several lines', () => {
  expect(words('\n  one two\n  three\n')).toEqual(['one', 'two', 'three']);
});
