import * as fc from 'fast-check';
import type { Cost } from '../model/cost.ts';
import type { Runs } from '../model/run.ts';
import type { Sender, Stimulus } from '../model/stimulus.ts';
import type { Survey } from '../model/target-info.ts';
import type { Trial } from '../model/trial.ts';
import { deal } from './deal.ts';
import { seedOf } from './seed-of.ts';

/** One input of a stimulus, ready to be sent, and the way to simpler ones. */
export interface Draw {
  /** Stimulus and position: the same for the same seed, whatever is run beside it. */
  readonly id: string;
  readonly stimulus: Stimulus;
  /** How many inputs its stimulus has that must be tried; of these, a small run takes a few. */
  readonly among: number;
  readonly send: (sender: Sender, survey: Survey) => Promise<Trial>;
  /** Whether chance made it; absent where it had to be tried. */
  readonly isDrawn?: true;
  /** What it sends at most. */
  readonly cost: (survey: Survey) => Cost;
  /** The input as text: two draws of equal text send equal requests. */
  readonly text: () => string;
  /** The next simpler inputs, simplest first; none for an input that had to be tried. */
  readonly simpler: () => Iterable<Draw>;
}

/**
 * All draws of a stimulus: those that must be tried first, then `runs` random ones, or its own few. Of more inputs than
 * few, the first ones are steady, and the seed chooses the others.
 */
export function drawsOf(stimulus: Stimulus, survey: Survey, seed: number, runs: Runs): Draw[] {
  const { name } = stimulus;
  const { first, drawn } = stimulus.inputs(survey);
  const among = first.length;
  const tried = first.map((input, i) => drawOf({ stimulus, among, id: `${name}/${i}` }, input, () => []));
  const count = typeof runs === 'number' ? tried.length + runs : fewOf(stimulus, tried.length, runs);
  const wanted = count - tried.length;
  if (wanted < 0) return deal(tried, { count, steady: steadyOf(stimulus, count), seed, name });
  if (drawn === undefined || wanted === 0) return tried;
  const values = shrinkableValues(drawn, seedOf(seed, name), wanted);
  return [
    ...tried,
    ...values.map((value, i) =>
      shrinkableDraw({ stimulus, among, id: `${name}/${tried.length + i}` }, drawn, value),
    ),
  ];
}

function fewOf({ few }: Stimulus, tried: number, runs: 'few' | 'fewest'): number {
  return runs === 'few' ? few : Math.ceil(Math.min(few, Math.max(tried, 1)) / 4);
}

/** As great a part of `count` as the steady ones are of the stimulus's own few: half of them unless it says otherwise. */
function steadyOf({ few, steady = few / 2 }: Stimulus, count: number): number {
  return Math.ceil((count * steady) / few);
}

type Place = Pick<Draw, 'id' | 'stimulus' | 'among'>;

function drawOf(place: Place, input: unknown, simpler: () => Iterable<Draw>): Draw {
  const { stimulus } = place;
  const costs = new WeakMap<Survey, Cost>();
  return {
    ...place,
    send: (sender, survey) => stimulus.send(input, sender, survey),
    // Asked for by plan, order and sender alike, and some inputs are large.
    cost: (survey) => {
      const cost = costs.get(survey) ?? stimulus.cost(input, survey);
      costs.set(survey, cost);
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
