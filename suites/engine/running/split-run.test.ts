import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOut } from './split-run.ts';

test('returns shares that add up to the whole given any weights', () => {
  const weights = fc.array(fc.nat(500), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.nat(10_000), weights, (whole, of) => {
      const shares = shareOut(whole, of);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(whole);
      expect(shares.every((share) => share >= 0)).toBe(true);
    }),
  );
});

test('returns shares in proportion, none for no weight, and one for a small weight', () => {
  expect(shareOut(103, [50, 25, 25])).toEqual([51, 26, 26]);
  expect(shareOut(10, [1000, 0, 1])).toEqual([8, 0, 2]);
  expect(shareOut(3, [0, 0, 0])).toEqual([1, 1, 1]);
  expect(shareOut(Infinity, [1, 2])).toEqual([Infinity, Infinity]);
});
