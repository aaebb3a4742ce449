import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawsOf } from './draw.ts';
import { type Inputs, stimulus } from '../stimulus.ts';
import type { Survey } from '../survey.ts';

const survey = {} as Survey;

function numbers(inputs: Inputs<number>, few = 3) {
  return stimulus({
    name: 'numbers',
    stage: 'free',
    few,
    inputs: () => inputs,
    cost: () => ({}),
    send: async () => ({ exchanges: [] }),
  });
}

test('tries what must be tried and then draws so many more', () => {
  const draws = drawsOf(numbers({ first: [1, 2], drawn: fc.nat() }), survey, 7, 5);
  expect(draws).toHaveLength(7);
  expect(draws.slice(0, 2).map((draw) => draw.text())).toEqual(['1', '2']);
});

test('draws the same for the same seed, and the first of many are the few', () => {
  const arbitrary = { first: [], drawn: fc.nat() };
  const many = drawsOf(numbers(arbitrary), survey, 7, 20).map((draw) => draw.text());
  const few = drawsOf(numbers(arbitrary), survey, 7, 'few').map((draw) => draw.text());
  expect(few).toEqual(many.slice(0, 3));
  expect(drawsOf(numbers(arbitrary), survey, 8, 20).map((draw) => draw.text())).not.toEqual(many);
});

test('takes only the few most telling inputs when there are more', () => {
  expect(drawsOf(numbers({ first: [1, 2, 3, 4] }, 2), survey, 7, 'few').map((draw) => draw.text())).toEqual([
    '1',
    '2',
  ]);
});

test('leads from a random input to ever simpler ones', () => {
  let [draw] = drawsOf(numbers({ first: [], drawn: fc.integer({ min: 0, max: 1000 }) }), survey, 3, 1);
  for (let steps = 0; draw !== undefined && draw.text() !== '0' && steps < 50; steps += 1) {
    [draw] = [...draw.simpler()];
  }
  expect(draw?.text()).toBe('0');
});
