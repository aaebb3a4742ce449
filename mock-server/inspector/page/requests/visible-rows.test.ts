import { expect, test } from 'vitest';
import { nextChoice } from './visible-rows.ts';

test.each([
  ['ArrowDown', 3, 4],
  ['ArrowDown', 9, 9],
  ['ArrowDown', -1, 9],
  ['ArrowUp', 3, 2],
  ['ArrowUp', 0, 0],
  ['ArrowUp', -1, 9],
  ['PageDown', 3, 8],
  ['PageDown', 8, 9],
  ['PageUp', 3, 0],
  ['Home', 5, 0],
  ['End', 5, 9],
  ['a', 5, undefined],
])('%s leads from %i of ten to %j', (key, from, to) => {
  expect(nextChoice(key, from, 10, 5)).toBe(to);
});

test('leads nowhere in an empty list', () => {
  expect(nextChoice('End', -1, 0, 5)).toBeUndefined();
});
