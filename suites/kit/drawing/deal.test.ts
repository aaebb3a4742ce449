import { expect, test } from 'vitest';
import { selectExamples } from './deal.ts';

const LETTERS = Array.from('abcdefghijklmnopqrst');

const dealt = (seed: number, name = 'letters') =>
  selectExamples(LETTERS, { count: 6, fixedCount: 2, seed, name });

test('keeps the steady first ones and so many others, each once and in their order', () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const hand = dealt(seed);
    expect(hand).toHaveLength(6);
    expect(hand.slice(0, 2)).toEqual(['a', 'b']);
    expect(hand).toEqual([...new Set(hand)].toSorted());
  }
});

test('comes to everything in as few seeds in a row as can be, wherever they begin', () => {
  for (const begin of [0, 1, 7, 2 ** 31 - 10]) {
    const seeds = [0, 1, 2, 3, 4].map((i) => begin + i);
    expect(new Set(seeds.flatMap((seed) => dealt(seed))).size).toBe(LETTERS.length);
  }
});

test('deals otherwise under another name', () => {
  expect(dealt(1, 'others')).not.toEqual(dealt(1));
});

test('keeps all given no more than it may', () => {
  expect(selectExamples(LETTERS.slice(0, 3), { count: 6, fixedCount: 3, seed: 1, name: 'letters' })).toEqual([
    'a',
    'b',
    'c',
  ]);
});

test('keeps the first ones alone given that all of them are steady', () => {
  expect(selectExamples(LETTERS, { count: 2, fixedCount: 2, seed: 5, name: 'letters' })).toEqual(['a', 'b']);
});
