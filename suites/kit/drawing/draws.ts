import * as fc from 'fast-check';
import { hash } from 'node:crypto';
import type { Cost } from '../model/cost.ts';
import type { Runs } from '../model/run.ts';
import type { Sender, Stimulus, Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';

/** One input of a stimulus, ready to be sent, and the way to simpler ones. */
export interface Draw {
  /** Stimulus and position: the same for the same seed, whatever is run beside it. */
  readonly id: string;
  readonly stimulus: Stimulus;
  /** How many inputs its stimulus has that must be tried; of these, a small run takes a few. */
  readonly among: number;
  readonly send: (sender: Sender, info: TargetInfo) => Promise<Trial>;
  /** Whether chance made it; absent where it had to be tried. */
  readonly isDrawn?: true;
  /** What it sends at most. */
  readonly cost: (info: TargetInfo) => Cost;
  /** The input as text: two draws of equal text send equal requests. */
  readonly text: () => string;
  /** The next simpler inputs, simplest first; none for an input that had to be tried. */
  readonly simpler: () => Iterable<Draw>;
}

/**
 * All draws of a stimulus: those that must be tried first, then `runs` random ones, or its own few. Of more inputs than
 * few, the first ones are steady, and the seed chooses the others.
 */
export function drawsOf(stimulus: Stimulus, info: TargetInfo, seed: number, runs: Runs): Draw[] {
  const { name } = stimulus;
  const { examples: first, arbitrary } = stimulus.inputs(info);
  const among = first.length;
  const tried = first.map((input, i) => drawOf({ stimulus, among, id: `${name}/${i}` }, input, () => []));
  const count = typeof runs === 'number' ? tried.length + runs : fewOf(stimulus, tried.length, runs);
  const wanted = count - tried.length;
  if (wanted < 0) return selectExamples(tried, { count, fixedCount: steadyOf(stimulus, count), seed, name });
  if (arbitrary === undefined || wanted === 0) return tried;
  const values = shrinkableValues(arbitrary, seedOf(seed, name), wanted);
  return [
    ...tried,
    ...values.map((value, i) =>
      shrinkableDraw({ stimulus, among, id: `${name}/${tried.length + i}` }, arbitrary, value),
    ),
  ];
}

function fewOf({ smokeCount }: Stimulus, tried: number, runs: 'few' | 'fewest'): number {
  return runs === 'few' ? smokeCount : Math.ceil(Math.min(smokeCount, Math.max(tried, 1)) / 4);
}

/** As great a part of `count` as the steady ones are of the stimulus's own few: half of them unless it says otherwise. */
function steadyOf({ smokeCount, fixedCount = smokeCount / 2 }: Stimulus, count: number): number {
  return Math.ceil((count * fixedCount) / smokeCount);
}

type Place = Pick<Draw, 'id' | 'stimulus' | 'among'>;

function drawOf(place: Place, input: unknown, simpler: () => Iterable<Draw>): Draw {
  const { stimulus } = place;
  const costs = new WeakMap<TargetInfo, Cost>();
  return {
    ...place,
    send: (sender, info) => stimulus.send(input, sender, info),
    // Asked for by plan, order and sender alike, and some inputs are large.
    cost: (info) => {
      const cost = costs.get(info) ?? stimulus.cost(input, info);
      costs.set(info, cost);
      return cost;
    },
    text: () => fc.stringify(input),
    simpler,
  };
}

function shrinkableDraw(place: Place, from: fc.Arbitrary<unknown>, value: fc.Value<unknown>): Draw {
  const simpler = function* (): Iterable<Draw> {
    for (const next of from.shrink(value.value, value.context)) yield shrinkableDraw(place, from, next);
  };
  return { ...drawOf(place, value.value, simpler), isDrawn: true };
}

function shrinkableValues(from: fc.Arbitrary<unknown>, seed: number, count: number): fc.Value<unknown>[] {
  return fc.sample(new WithContext(from), { seed, numRuns: count });
}

/** Draws the value together with the context from which it can be shrunk, which sampling alone would drop. */
class WithContext extends fc.Arbitrary<fc.Value<unknown>> {
  readonly #from: fc.Arbitrary<unknown>;

  constructor(from: fc.Arbitrary<unknown>) {
    super();
    this.#from = from;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<fc.Value<unknown>> {
    return new fc.Value(this.#from.generate(random, bias), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is fc.Value<unknown> {
    return value instanceof fc.Value;
  }

  override shrink(): fc.Stream<fc.Value<fc.Value<unknown>>> {
    return fc.Stream.nil();
  }
}

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

/** Every stimulus draws from a stream of its own, so that neither order nor selection changes what it sends. */
export function seedOf(seed: number, name: string): number {
  return streamOf(`${seed}/${name}`);
}

/** A seed for what is drawn alike whatever the seed of the run, 32 bits with the sign. */
export function streamOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) | 0;
}

/** One draw of each in turn: should a cap end the run early, every stimulus has had its most telling draws. */
export function inTurns<T>(plans: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...plans.map((plan) => plan.length));
  return Array.from({ length: longest }, (_, i) => plans.flatMap((plan) => plan[i] ?? [])).flat();
}
