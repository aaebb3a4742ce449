import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Inputs, stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { drawsOf } from './draws.ts';

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

test('takes the most telling half of the few for every seed, and others by the seed, each once and in their order', () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const draws = drawsOf(numbers(MANY, 6), info, seed, 'few');
    const values = draws.map((draw) => Number(draw.text()));
    expect(values).toHaveLength(6);
    expect(values.slice(0, 3)).toEqual([0, 10, 20]);
    expect(values).toEqual([...new Set(values)].toSorted((one, other) => one - other));
    expect(draws.map(({ id }) => id)).toEqual(values.map((value) => `numbers/${value / 10}`));
    expect(idsOf(seed)).toEqual(draws.map(({ id }) => id));
  }
  expect(idsOf(1)).not.toEqual(idsOf(2));
});

test('gives --runs fewest as great a part of fixed examples as --runs few', () => {
  const allFixed = { ...numbers(MANY, 8), fixedCount: 8 };
  const ids = drawsOf(allFixed, info, 5, 'fewest').map(({ id }) => id);
  expect(ids).toEqual(['numbers/0', 'numbers/1']);
  expect(drawsOf({ ...allFixed, fewestCount: 1 }, info, 5, 'fewest')).toHaveLength(1);
  expect(idsOf(5, 8, 'fewest')[0]).toBe('numbers/0');
  expect(new Set([1, 2, 3].map((seed) => idsOf(seed, 8, 'fewest')[1])).size).toBe(3);
});

test('leads from a random input to ever simpler ones', () => {
  let [draw] = drawsOf(numbers({ examples: [], arbitrary: fc.integer({ min: 0, max: 1000 }) }), info, 3, 1);
  for (let steps = 0; draw !== undefined && draw.text() !== '0' && steps < 50; steps += 1) {
    [draw] = [...draw.simpler()];
  }
  expect(draw?.text()).toBe('0');
});

/** The texts that a run with small caps tries of these examples, of which two are always the first. */
const dealt = (seed: number, name = 'numbers', fixedCount = 2) =>
  drawsOf({ ...numbers(MANY, 6), fixedCount, name }, info, seed, 'few').map((draw) => draw.text());

test('comes to everything in as few seeds in a row as can be, wherever they begin', () => {
  for (const begin of [0, 1, 7, -3, 2 ** 31 - 10]) {
    const seeds = [0, 1, 2, 3, 4].map((i) => begin + i);
    expect(new Set(seeds.flatMap((seed) => dealt(seed))).size).toBe(MANY.examples.length);
  }
});

test('deals otherwise under another name, and keeps the first ones alone given that all of them are fixed', () => {
  expect(dealt(1, 'others')).not.toEqual(dealt(1));
  expect(dealt(5, 'numbers', 6)).toEqual(MANY.examples.slice(0, 6).map(String));
});
