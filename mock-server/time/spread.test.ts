import { expect, test } from 'vitest';
import { drawMilliseconds, isSpread } from './spread.ts';

const SUBJECTS = Array.from({ length: 4000 }, (_, index) => `1 during-generation r${index}`);

function drawn(spread: string): readonly number[] {
  return SUBJECTS.map((subject) => drawMilliseconds(spread, subject)).toSorted((one, other) => one - other);
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

test.each(['100..500', '0..0', 'uniform:100,500', 'normal:300,50', 'lognormal:200,2000'])(
  'takes %s as a spread, whose numbers are whole and the same for the same subject',
  (spread) => {
    expect(isSpread(spread)).toBe(true);
    expect(drawn(spread).every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true);
    expect(drawMilliseconds(spread, 'a')).toBe(drawMilliseconds(spread, 'a'));
  },
);

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

test('draws evenly from a range', () => {
  const sorted = drawn('100..500');
  expect(sorted[0]).toBeGreaterThanOrEqual(100);
  expect(sorted.at(-1)).toBeLessThanOrEqual(500);
  expect(percentile(sorted, 0.5)).toBeGreaterThan(280);
  expect(percentile(sorted, 0.5)).toBeLessThan(320);
});

test('draws around the mean of a normal distribution, and never below zero', () => {
  const sorted = drawn('normal:300,50');
  expect(percentile(sorted, 0.5)).toBeGreaterThan(295);
  expect(percentile(sorted, 0.5)).toBeLessThan(305);
  expect(percentile(sorted, 0.84)).toBeGreaterThan(340);
  expect(percentile(sorted, 0.84)).toBeLessThan(360);
  expect(drawn('normal:0,50')[0]).toBe(0);
});

test('draws with the given median and 99th percentile of a lognormal distribution', () => {
  const sorted = drawn('lognormal:200,2000');
  expect(percentile(sorted, 0.5)).toBeGreaterThan(185);
  expect(percentile(sorted, 0.5)).toBeLessThan(215);
  expect(percentile(sorted, 0.99)).toBeGreaterThan(1600);
  expect(percentile(sorted, 0.99)).toBeLessThan(2500);
});

test('leaves a number as it is', () => {
  expect(drawMilliseconds(7, 'a')).toBe(7);
});
