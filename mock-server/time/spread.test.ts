import { expect, test } from 'vitest';
import { drawMilliseconds, isRange } from './spread.ts';

const SUBJECTS = Array.from({ length: 4000 }, (_, index) => `1 during-generation r${index}`);

function drawn(range: string): readonly number[] {
  return SUBJECTS.map((subject) => drawMilliseconds(range, subject)).toSorted((one, other) => one - other);
}

test.each(['', '5', '500..100', '-1..5', '1.5..5', 'normal:300,50', '1..9999999999'])(
  'takes %j as no range',
  (text) => expect(isRange(text)).toBe(false),
);

test.each([
  ['0..0', 0.5, 0, 0],
  ['100..500', 0, 100, 110],
  ['100..500', 0.5, 280, 320],
  ['100..500', 0.9999, 490, 500],
])('draws whole numbers from %s: at the share %d one from %i to %i', (range, share, least, most) => {
  expect(isRange(range)).toBe(true);
  const sorted = drawn(range);
  expect(sorted.every(Number.isInteger)).toBe(true);
  expect(sorted[Math.floor(sorted.length * share)]).toBeGreaterThanOrEqual(least);
  expect(sorted[Math.floor(sorted.length * share)]).toBeLessThanOrEqual(most);
  expect(drawn(range)).toEqual(sorted);
});

test('leaves a number as it is', () => {
  expect(drawMilliseconds(7, 'a')).toBe(7);
});
