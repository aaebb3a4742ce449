import { expect, test } from 'vitest';
import { drawMilliseconds, isSpread } from './spread.ts';

const SUBJECTS = Array.from({ length: 4000 }, (_, index) => `1 during-generation r${index}`);

function drawn(spread: string): readonly number[] {
  return SUBJECTS.map((subject) => drawMilliseconds(spread, subject)).toSorted((one, other) => one - other);
}

test.each([
  '',
  '5',
  '500..100',
  '-1..5',
  'normal:1',
  'lognormal:0,5',
  'lognormal:5,1',
  'uniform:1,9999999999',
])('takes %j as no spread', (text) => expect(isSpread(text)).toBe(false));

test.each([
  ['0..0', 0.5, 0, 0],
  ['100..500', 0, 100, 110],
  ['uniform:100,500', 0.5, 280, 320],
  ['100..500', 0.9999, 490, 500],
  ['normal:300,50', 0.5, 295, 305],
  ['normal:300,50', 0.84, 340, 360],
  ['normal:0,50', 0, 0, 0],
  ['lognormal:200,2000', 0.5, 185, 215],
  ['lognormal:200,2000', 0.99, 1600, 2500],
])('draws whole numbers from %s: at the share %d one from %i to %i', (spread, share, least, most) => {
  expect(isSpread(spread)).toBe(true);
  const sorted = drawn(spread);
  expect(sorted.every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true);
  expect(sorted[Math.floor(sorted.length * share)]).toBeGreaterThanOrEqual(least);
  expect(sorted[Math.floor(sorted.length * share)]).toBeLessThanOrEqual(most);
  expect(drawn(spread)).toEqual(sorted);
});

test('leaves a number as it is', () => {
  expect(drawMilliseconds(7, 'a')).toBe(7);
});
