import { expect, test } from 'vitest';
import { isHeld, moveTo, type RequestState, RESERVATION_OF } from './ledger.ts';

const STATES: readonly RequestState[] = ['running', 'under_review', 'succeeded', 'failed'];
const PAIRS = STATES.flatMap((from) => STATES.map((to) => ({ from, to })));
const ARROWS = new Set([
  'running succeeded',
  'running failed',
  'running under_review',
  'under_review succeeded',
  'under_review failed',
]);
const hasArrow = ({ from, to }: (typeof PAIRS)[number]): boolean => ARROWS.has(`${from} ${to}`);

test.each(PAIRS.filter(hasArrow))('moves from $from to $to', ({ from, to }) => {
  expect(moveTo(from, to)).toBe(to);
});

test.each(PAIRS.filter((pair) => !hasArrow(pair)))('throws for a move from $from to $to', ({ from, to }) => {
  expect(() => moveTo(from, to)).toThrow(`A request that is ${from} cannot become ${to}`);
});

test('sets credits aside for what is running or under review, and for nothing else', () => {
  expect(STATES.filter(isHeld)).toEqual(['running', 'under_review']);
  expect(STATES.map((state) => RESERVATION_OF[state])).toEqual([
    'held',
    'under_review',
    'consumed',
    'released',
  ]);
});
