import * as fc from 'fast-check';
import { streamOf } from './seed-of.ts';

/** What is dealt, and how. */
export interface Selection {
  /** How many are kept of them all. */
  readonly count: number;
  /** How many of these are the first, whatever the seed; at most `count`. */
  readonly fixedCount: number;
  readonly seed: number;
  /** Whose they are: others are shuffled otherwise. */
  readonly name: string;
}

/**
 * A few of many, in their order: the steady first ones, and of the rest a hand for the seed. The rest is shuffled once
 * and dealt out seed by seed, so that seeds that follow each other come to everything in as few runs as can be, and a
 * seed at random comes to each with the same chance.
 */
export function selectExamples<T>(all: readonly T[], { count, fixedCount, seed, name }: Selection): T[] {
  if (count >= all.length) return [...all];
  const pack = shuffled(all.length - fixedCount, name);
  const size = count - fixedCount;
  const begin = seed * size;
  const dealt = Array.from({ length: size }, (_, i) => at(pack, begin + i) + fixedCount);
  const kept = new Set(dealt);
  return all.filter((_, index) => index < fixedCount || kept.has(index));
}

/** The numbers below `count` in an order of its own for each name. */
function shuffled(count: number, name: string): readonly number[] {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const whole = fc.shuffledSubarray(numbers, { minLength: count });
  return fc.sample(whole, { seed: streamOf(name), numRuns: 1 }).flat();
}

/** What stands there when a list goes on from its beginning. */
function at(list: readonly number[], position: number): number {
  const { length } = list;
  return list[((position % length) + length) % length] ?? 0;
}
