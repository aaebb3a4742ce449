import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Inputs, stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { drawsOf, selectExamples } from './draws.ts';

const info = {} as TargetInfo;

function numbers(inputs: Inputs<number>, cappedCount = 3) {
  return stimulus({
    name: 'numbers',
    stage: 'free',
    cappedCount,
    inputs: () => inputs,
    cost: () => ({}),
    send: async () => ({ exchanges: [] }),
  });
}

test('tries what must be tried and then draws so many more', () => {
  const draws = drawsOf(numbers({ examples: [1, 2], arbitrary: fc.nat() }), info, 7, 5);
  expect(draws).toHaveLength(7);
  expect(draws.slice(0, 2).map((draw) => draw.text())).toEqual(['1', '2']);
});

test('draws the same for the same seed, and the first of many are the few', () => {
  const arbitrary = { examples: [], arbitrary: fc.nat() };
  const many = drawsOf(numbers(arbitrary), info, 7, 20).map((draw) => draw.text());
  const few = drawsOf(numbers(arbitrary), info, 7, 'few').map((draw) => draw.text());
  expect(few).toEqual(many.slice(0, 3));
  expect(drawsOf(numbers(arbitrary), info, 8, 20).map((draw) => draw.text())).not.toEqual(many);
});

const MANY = { examples: Array.from({ length: 20 }, (_, i) => i * 10) };

const idsOf = (seed: number, cappedCount = 6, runs: 'few' | 'fewest' = 'few') =>
  drawsOf(numbers(MANY, cappedCount), info, seed, runs).map(({ id }) => id);

test('takes the most telling half of the few for every seed, and lets the seed choose the others', () => {
  for (let seed = 0; seed < 10; seed += 1) {
    const ids = idsOf(seed);
    expect(ids.slice(0, 3)).toEqual(['numbers/0', 'numbers/1', 'numbers/2']);
    expect(new Set(ids).size).toBe(6);
    expect(idsOf(seed)).toEqual(ids);
  }
  expect(idsOf(1)).not.toEqual(idsOf(2));
});

test('names each input by its own place among all of them', () => {
  const draws = drawsOf(numbers(MANY, 6), info, 3, 'few');
  expect(draws.map(({ id }) => id)).toEqual(draws.map((draw) => `numbers/${Number(draw.text()) / 10}`));
});

test('gives --runs fewest as great a part of fixed examples as --runs few', () => {
  const allFixed = { ...numbers(MANY, 8), fixedCount: 8 };
  const ids = drawsOf(allFixed, info, 5, 'fewest').map(({ id }) => id);
  expect(ids).toEqual(['numbers/0', 'numbers/1']);
  expect(idsOf(5, 8, 'fewest')[0]).toBe('numbers/0');
  expect(new Set([1, 2, 3].map((seed) => idsOf(seed, 8, 'fewest')[1])).size).toBe(3);
});

test('tries every input for every seed given a number of runs', () => {
  const draws = drawsOf(numbers(MANY), info, 9, 0);
  expect(draws.map((draw) => Number(draw.text()))).toEqual(MANY.examples);
});

test('leads from a random input to ever simpler ones', () => {
  let [draw] = drawsOf(numbers({ examples: [], arbitrary: fc.integer({ min: 0, max: 1000 }) }), info, 3, 1);
  for (let steps = 0; draw !== undefined && draw.text() !== '0' && steps < 50; steps += 1) {
    [draw] = [...draw.simpler()];
  }
  expect(draw?.text()).toBe('0');
});

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
