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
  const examples = examplesOf(stimulus, inputs.examples);
  const { length } = examples;
  const count = typeof runs === 'number' ? length + runs : countOf(stimulus, length, runs);
  if (count < length) return selectedExamples(examples, count, stimulus, seed);
  const { arbitrary } = inputs;
  if (arbitrary === undefined || count === length) return examples;
  const exampleCount = dueOf(stimulus, length);
  return [
    ...examples,
    ...shrinkableValues(arbitrary, stimulus, seed, count - length).map((value, i) => {
      const place = { stimulus, exampleCount, id: `${name}/${length + i}`, origin: `${i}@${seed}` };
      return shrinkableDraw(place, arbitrary, value);
    }),
  ];
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
  const value = shrinkableValues(arbitrary, stimulus, Number(seed), Number(nth) + 1).at(-1);
  if (value === undefined) return undefined;
  let draw: Draw | undefined = shrinkableDraw({ stimulus, id, origin: `${nth}@${seed}` }, arbitrary, value);
  for (const step of steps.split(':').slice(1))
    draw = draw && Iterator.from(draw.simpler()).drop(Number(step)).next().value;
  return draw;
}

/** How many inputs are drawn on the way to that of an origin. */
export function stepsTo(origin: string): number {
  const [nth = '', random] = origin.split('@');
  if (random === undefined) return 0;
  const [, ...simpler] = random.split(':');
  return [nth, ...simpler].reduce((sum, step) => sum + Number(step) + 1, 0);
}

/** How many of the examples are tried whatever they decide. */
function dueOf({ untilDecided }: Stimulus, exampleCount: number): number {
  return untilDecided === true ? 1 : exampleCount;
}

/**
 * A quarter of the few is the fewest, unless the stimulus says another or it takes more to exercise each clause. Inputs that
 * are sent only as long as nothing is decided are all there.
 */
function countOf(stimulus: Stimulus, exampleCount: number, runs: 'few' | 'fewest'): number {
  const { cappedCount, firstCount = 1, untilDecided } = stimulus;
  if (untilDecided === true) return exampleCount;
  if (runs === 'few') return cappedCount;
  const most = Math.min(cappedCount, Math.max(exampleCount, 1));
  const { fewestCount = Math.ceil(most / 4) } = stimulus;
  return Math.min(most, Math.max(firstCount, fewestCount));
}

type Place = Pick<Draw, 'id' | 'stimulus' | 'exampleCount' | 'origin'>;

/** Of an input of this stimulus. */
function drawOf(place: Place, input: unknown, simpler: Draw['simpler'] = () => []): Draw {
  const { stimulus } = place;
  const { alone } = stimulus;
  const costs = new WeakMap<TargetInfo, Cost>();
  return {
    ...place,
    isAlone: typeof alone === 'function' ? alone(input) : alone !== undefined,
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
  return drawOf(place, value.value, simpler);
}

/** Each stimulus has its own stream, so that no selection changes what it sends. */
function shrinkableValues(from: fc.Arbitrary<unknown>, { name }: Stimulus, seed: number, count: number) {
  return fc.sample(new WithContext(from), { seed: seedOf(`${seed}/${name}`), numRuns: count });
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

/**
 * Some of the examples, in their order: the first ones whatever the seed, as great a part as of cappedCount (half by
 * default), and of the rest those for the seed. The rest is shuffled once and taken seed by seed, so that consecutive
 * seeds cover everything in as few runs as possible, and a random seed comes to each with the same chance.
 */
function selectedExamples(all: readonly Draw[], count: number, stimulus: Stimulus, seed: number): Draw[] {
  const { name, cappedCount, fixedCount = cappedCount / 2 } = stimulus;
  const fixed = Math.ceil((count * fixedCount) / cappedCount);
  const rest = all.slice(fixed);
  const whole = fc.shuffledSubarray(rest, { minLength: rest.length });
  const order = fc.sample(whole, { seed: seedOf(name), numRuns: 1 }).flat();
  const size = count - fixed;
  const places = Array.from({ length: size }, (_, i) => (seed * size + i) % order.length);
  const chosen = new Set(places.map((place) => order.at(place)));
  return [...all.slice(0, fixed), ...rest.filter((draw) => chosen.has(draw))];
}

/** 32 bits with the sign, from a text. */
function seedOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) | 0;
}
