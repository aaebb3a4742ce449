import type { Pass } from '../model/run.ts';
import { type Cost, STAGES, type Stage, type Stimulus } from '../model/stimulus.ts';
import { inTurns } from './draws.ts';

/** Draws of one stage that are sent before those of the next part. */
export interface PartOfRun<Draw> {
  readonly pass: Pass;
  readonly stage: Stage;
  readonly draws: readonly Draw[];
}

export interface PassOptions<Draw> {
  /** Whether every check of a stimulus only observes: nothing that it sends can show a violation. */
  readonly isOpen: (stimulus: Stimulus) => boolean;
  readonly costOf: (draw: Draw) => Cost;
}

type Plans<Draw> = ReadonlyMap<Stimulus, readonly Draw[]>;

/**
 * Puts coverage before depth. The first pass holds the most telling draws of each stimulus, the cheapest first, so that
 * no cap leaves a clause out for the sake of a second input to another one. Then come the second inputs, and last those
 * that only observe. `plans`: the draws of each stimulus, most telling first.
 */
export function passesOf<Draw>(
  plans: Plans<Draw>,
  { isOpen, costOf }: PassOptions<Draw>,
): readonly PartOfRun<Draw>[] {
  const first = new Map(
    [...plans].map(([stimulus, draws]) => [stimulus, draws.slice(0, firstCountOf(stimulus))]),
  );
  const rest = new Map(
    [...plans].map(([stimulus, draws]) => [stimulus, draws.slice(firstCountOf(stimulus))]),
  );
  const only = (open: boolean): Plans<Draw> =>
    new Map([...rest].filter(([stimulus]) => isOpen(stimulus) === open));
  return [
    ...inStages('first', cheapestFirst(first, costOf)),
    ...inStages('second', only(false)),
    ...inStages('open', only(true)),
  ];
}

/** How many of its first draws exercise each clause of a stimulus; what only reads costs nothing, and needs no second pass. */
function firstCountOf({ firstCount = 1, readsOnly }: Stimulus): number {
  return readsOnly === true ? Infinity : firstCount;
}

function inStages<Draw>(pass: Pass, plans: Plans<Draw>): readonly PartOfRun<Draw>[] {
  return STAGES.map((stage) => ({
    pass,
    stage,
    draws: inTurns([...plans].filter(([stimulus]) => stimulus.stage === stage).map(([, draws]) => draws)),
  })).filter(({ draws }) => draws.length > 0);
}

function cheapestFirst<Draw>(plans: Plans<Draw>, costOf: PassOptions<Draw>['costOf']): Plans<Draw> {
  const priced = [...plans].map(([stimulus, draws]) => {
    const costs = draws.map(costOf);
    return { stimulus, draws, served: sumOf(costs, 'served'), refused: sumOf(costs, 'refused') };
  });
  // A chat that must be refused costs something only where it is served.
  const sorted = priced.toSorted((a, b) => a.served - b.served || a.refused - b.refused);
  return new Map(sorted.map(({ stimulus, draws }) => [stimulus, draws]));
}

function sumOf(costs: readonly Cost[], name: 'served' | 'refused'): number {
  return costs.reduce((sum, cost) => sum + (cost[name] ?? 0), 0);
}
