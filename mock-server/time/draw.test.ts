import { expect, test } from 'vitest';

import { createDraw } from './draw.ts';

test('draws the same numbers from the same word, each below its bound', () => {
  const [one, other] = [createDraw(7), createDraw(7)];
  const numbers = Array.from({ length: 1000 }, () => one(10));
  expect(Array.from({ length: 1000 }, () => other(10))).toEqual(numbers);
  expect(new Set(numbers)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
});

test('draws from the word zero as from any other', () => {
  const draw = createDraw(0);
  expect(new Set(Array.from({ length: 100 }, () => draw(1000))).size).toBeGreaterThan(50);
});
