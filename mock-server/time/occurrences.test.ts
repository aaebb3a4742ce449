import { hash } from 'node:crypto';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { Occurrences } from './occurrences.ts';

function digest(request: string): [number, number] {
  const hex = hash('sha256', request, 'hex');
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}

test('counts the occurrences of each request for itself', () => {
  const occurrences = new Occurrences();
  const numbers = ['a', 'b', 'a', 'a', 'b', 'c'].map((request) => occurrences.next(...digest(request)));
  expect(numbers).toEqual([0, 0, 1, 2, 1, 0]);
});

function counted(order: readonly number[]): string[] {
  const occurrences = new Occurrences();
  return order.map((request) => `${request}:${occurrences.next(request * 1024, request)}`).toSorted();
}

test('counts the same in whatever order requests come', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2000), { maxLength: 3000 }), (requests) => {
      expect(counted(requests.toReversed())).toEqual(counted(requests));
    }),
    { numRuns: 20 },
  );
});

test('never gives one request the same number twice, even after it forgot', () => {
  const occurrences = new Occurrences(1000);
  const given = new Set<string>();
  for (let round = 0; round < 5; round += 1) {
    for (let request = 0; request < 1500; request += 1) {
      given.add(`${request}:${occurrences.next(...digest(`r${request}`))}`);
    }
  }
  expect(given.size).toBe(7500);
});
