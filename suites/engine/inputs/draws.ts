import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import type { Runs } from '../model/run.ts';
import type { Cost, Sender, Stimulus, Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';

/** One input of a stimulus, ready to be sent, and the way to simpler ones. */
export interface Draw {
  /** Stimulus and position: the same for the same seed, whatever else is run. */
  readonly id: string;
  readonly stimulus: Stimulus;
  /**
   * How many examples its stimulus tries whatever they decide; a small run sends only some of them. Absent: it counts as
   * none of its inputs.
   */
  readonly exampleCount?: number;
  readonly send: (sender: Sender, info: TargetInfo) => Promise<Trial>;
  /** Whether nothing else may be in flight meanwhile. */
  readonly isAlone: boolean;
  /** Absent for an example. */
  readonly isRandom?: true;
  /** Present: its input failed in an earlier run. */
  readonly isRemembered?: true;
  /** What it sends at most. */
  readonly cost: (info: TargetInfo) => Cost;
  /** The input as text: two draws of equal text send equal requests. */
  readonly text: () => string;
  /**
   * How its stimulus makes the input again: `3` is its fourth example, `7@42` its eighth random input of seed 42, and
   * `7@42:0:2` the third of those next simpler than the first one next simpler than that.
   */
  readonly origin: string;
  /** The next simpler inputs, simplest first; none for an example. */
  readonly simpler: () => Iterable<Draw>;
}

/**
 * The draws of a stimulus: its examples first, then `runs` random ones; or, where `runs` is a word, its cappedCount.
 * Of more examples than that, the first are fixed, and the seed chooses the others.
 */
export function drawsOf(stimulus: Stimulus, info: TargetInfo, seed: number, runs: Runs): Draw[] {
  const { name } = stimulus;
  const inputs = stimulus.inputs(info);
  const exampleCount = inputs.examples.length;
  const place = (i: number): Place => ({
    stimulus,
    exampleCount: dueOf(stimulus, exampleCount),
    id: `${name}/${exampleCount + i}`,
    origin: `${i}@${seed}`,
  });
  const examples = examplesOf(stimulus, inputs.examples);
  const count = typeof runs === 'number' ? exampleCount + runs : countOf(stimulus, exampleCount, runs);
  if (count < exampleCount)
    return selectExamples(examples, { count, fixedCount: fixedCountOf(stimulus, count), seed, name });
  const { arbitrary } = inputs;
  if (arbitrary === undefined || count === exampleCount) return examples;
  const values = shrinkableValues(arbitrary, seedFor(stimulus, seed), count - exampleCount);
  return [...examples, ...values.map((value, i) => shrinkableDraw(place(i), arbitrary, value))];
}

/** Every example, whether a run sends it or not. */
export function examplesOf(stimulus: Stimulus, inputs: readonly unknown[]): Draw[] {
  const { name } = stimulus;
  const exampleCount = dueOf(stimulus, inputs.length);
  return inputs.map((input, i) =>
    drawOf({ stimulus, exampleCount, id: `${name}/${i}`, origin: `${i}` }, input),
  );
}

const ORIGIN = /^(?<nth>\d{1,4})(?:@(?<seed>-?\d{1,16})(?<steps>(?::\d{1,4})*))?$/;

/** The draw of this origin, which may come from anywhere: nothing but what the stimulus itself makes. */
export function drawFrom(origin: string, id: string, stimulus: Stimulus, info: TargetInfo): Draw | undefined {
  const { nth = '', seed, steps = '' } = ORIGIN.exec(origin)?.groups ?? {};
  const { examples, arbitrary } = stimulus.inputs(info);
  if (seed === undefined) return examplesOf(stimulus, examples)[nth === '' ? -1 : Number(nth)];
  if (arbitrary === undefined) return undefined;
  const [value] = shrinkableValues(arbitrary, seedFor(stimulus, Number(seed)), Number(nth) + 1).slice(-1);
  if (value === undefined) return undefined;
  let draw: Draw | undefined = shrinkableDraw({ stimulus, id, origin: `${nth}@${seed}` }, arbitrary, value);
  for (const step of steps.split(':').slice(1)) draw = draw && nthOf(draw.simpler(), Number(step));
  return draw;
}

/** How many inputs are drawn on the way to that of an origin. */
export function stepsTo(origin: string): number {
  const [nth = '', random] = origin.split('@');
  if (random === undefined) return 0;
  const [, ...simpler] = random.split(':');
  return [nth, ...simpler].reduce((sum, step) => sum + Number(step) + 1, 0);
}

function nthOf<T>(all: Iterable<T>, nth: number): T | undefined {
  let i = 0;
  for (const each of all) if (i++ === nth) return each;
  return undefined;
}

/** How many of the examples are tried whatever they decide. */
function dueOf({ untilDecided }: Stimulus, exampleCount: number): number {
  return untilDecided === true ? 1 : exampleCount;
}

/**
 * A quarter of the few is the fewest, unless it takes more to exercise each clause. Inputs that are sent only as long as
 * nothing is decided are all there.
 */
function countOf(
  { cappedCount, firstCount = 1, untilDecided }: Stimulus,
  exampleCount: number,
  runs: 'few' | 'fewest',
): number {
  if (untilDecided === true) return exampleCount;
  if (runs === 'few') return cappedCount;
  const most = Math.min(cappedCount, Math.max(exampleCount, 1));
  return Math.min(most, Math.max(firstCount, Math.ceil(most / 4)));
}

/** The same share of `count` as fixedCount of cappedCount: half by default. */
function fixedCountOf({ cappedCount, fixedCount = cappedCount / 2 }: Stimulus, count: number): number {
  return Math.ceil((count * fixedCount) / cappedCount);
}

type Place = Pick<Draw, 'id' | 'stimulus' | 'exampleCount' | 'origin'>;

/** Of an input of this stimulus. */
function drawOf(place: Place, input: unknown, simpler: Draw['simpler'] = () => []): Draw {
  const { stimulus } = place;
  const { alone = false } = stimulus;
  const costs = new WeakMap<TargetInfo, Cost>();
  return {
    ...place,
    isAlone: typeof alone === 'function' ? alone(input) : alone,
    send: (sender, info) => stimulus.send(input, sender, info),
    // Plan, order and sender all need it, and some inputs are large.
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
    let i = 0;
    for (const next of from.shrink(value.value, value.context))
      yield shrinkableDraw({ ...place, origin: `${place.origin}:${i++}` }, from, next);
  };
  return { ...drawOf(place, value.value, simpler), isRandom: true };
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

/** Which of many examples are kept. */
export interface Selection {
  readonly count: number;
  /** How many of these are the first ones, whatever the seed; at most `count`. */
  readonly fixedCount: number;
  readonly seed: number;
  /** The name of the stimulus: each shuffles its examples in its own way. */
  readonly name: string;
}

/**
 * Some of the examples, in their order: the fixed first ones, and of the rest those for the seed. The rest is shuffled
 * once and taken seed by seed, so that consecutive seeds cover everything in as few runs as possible, and a random seed
 * comes to each with the same chance.
 */
export function selectExamples<T>(all: readonly T[], { count, fixedCount, seed, name }: Selection): T[] {
  if (count >= all.length) return [...all];
  const order = shuffled(all.length - fixedCount, name);
  const size = count - fixedCount;
  const begin = seed * size;
  const selected = new Set(Array.from({ length: size }, (_, i) => atCyclic(order, begin + i) + fixedCount));
  return all.filter((_, index) => index < fixedCount || selected.has(index));
}

/** The numbers below `count`, in a different order for each name. */
function shuffled(count: number, name: string): readonly number[] {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const whole = fc.shuffledSubarray(numbers, { minLength: count });
  return fc.sample(whole, { seed: seedOf(name), numRuns: 1 }).flat();
}

function atCyclic(list: readonly number[], position: number): number {
  const { length } = list;
  return list[((position % length) + length) % length] ?? 0;
}

function seedFor({ name }: Stimulus, seed: number): number {
  return seedOf(`${seed}/${name}`);
}

/** 32 bits with the sign, from a text: each stimulus has its own stream, so that no selection changes what it sends. */
function seedOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) | 0;
}
