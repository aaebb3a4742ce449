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
  /** Whether every check of a stimulus is known to fail. */
  readonly isKnown: (stimulus: Stimulus) => boolean;
  readonly costOf: (draw: Draw) => Cost;
  /** Whether its input failed in an earlier run. */
  readonly isRemembered: (draw: Draw) => boolean;
}

type Plans<Draw> = ReadonlyMap<Stimulus, readonly Draw[]>;

/**
 * Puts what failed before first, and then coverage before depth. The first pass holds the most telling draws of each
 * stimulus, the cheapest first, so that no cap leaves a clause out for the sake of a second input to another one. Then
 * come the second inputs, those that only observe, and last what is known to fail. `all`: the draws of each stimulus, most
 * telling first.
 */
export function passesOf<Draw>(
  all: Plans<Draw>,
  { isOpen, isKnown, costOf, isRemembered }: PassOptions<Draw>,
): readonly PartOfRun<Draw>[] {
  const known = new Map([...all].filter(([stimulus]) => isKnown(stimulus)));
  const news = new Map([...all].filter(([stimulus]) => !isKnown(stimulus)));
  const again = filtered(news, isRemembered);
  const others = [...filtered(news, (draw) => !isRemembered(draw))];
  const first = new Map(
    others.map(([stimulus, draws]) => [stimulus, draws.slice(0, firstCountOf(stimulus))]),
  );
  const rest = others.map(([stimulus, draws]) => [stimulus, draws.slice(firstCountOf(stimulus))] as const);
  const only = (open: boolean): Plans<Draw> =>
    new Map(rest.filter(([stimulus]) => isOpen(stimulus) === open));
  return [
    ...inStages('again', again),
    ...inStages('first', cheapestFirst(first, costOf)),
    ...inStages('second', only(false)),
    ...inStages('open', only(true)),
    ...inStages('known', cheapestFirst(known, costOf)),
  ];
}

function filtered<Draw>(plans: Plans<Draw>, isWanted: (draw: Draw) => boolean): Plans<Draw> {
  return new Map([...plans].map(([stimulus, draws]) => [stimulus, draws.filter(isWanted)]));
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
