import { inTurns } from '../inputs/draws.ts';
import type { Pass } from '../model/run.ts';
import { type Cost, STAGES, type Stimulus } from '../model/stimulus.ts';

/** A draw, and the part of the run that it belongs to. */
export interface Planned<Draw> {
  readonly draw: Draw;
  readonly pass: Pass;
}

interface PlanOptions<Draw> {
  /** Whether every check of a stimulus only observes: nothing that it sends can show a violation. */
  readonly isOpen: (stimulus: Stimulus) => boolean;
  /** Whether every check of a stimulus is known to fail. */
  readonly isKnown: (stimulus: Stimulus) => boolean;
  readonly costOf: (draw: Draw) => Cost;
  /** Whether its input failed in an earlier run. */
  readonly isRemembered: (draw: Draw) => boolean;
}

/**
 * All draws in the order of their priority: what failed before first, and then coverage before depth. The most telling
 * draws of each stimulus come before a second input to any, the cheapest first, so that no cap leaves a clause out. What
 * only observes and what is known to fail come last. `all`: the draws of each stimulus, most telling first.
 */
export function inOrder<Draw>(
  all: ReadonlyMap<Stimulus, readonly Draw[]>,
  { isOpen, isKnown, costOf, isRemembered }: PlanOptions<Draw>,
): readonly Planned<Draw>[] {
  const ofPass: Record<Pass, Map<Stimulus, readonly Draw[]>> = {
    again: new Map(),
    first: new Map(),
    second: new Map(),
    open: new Map(),
    known: new Map(),
  };
  for (const [stimulus, draws] of all) {
    if (isKnown(stimulus)) {
      ofPass.known.set(stimulus, draws);
      continue;
    }
    const others = draws.filter((draw) => !isRemembered(draw));
    const count = firstCountOf(stimulus);
    ofPass.again.set(stimulus, draws.filter(isRemembered));
    ofPass.first.set(stimulus, others.slice(0, count));
    ofPass[isOpen(stimulus) ? 'open' : 'second'].set(stimulus, others.slice(count));
  }
  return [
    ...inStages('again', [...ofPass.again]),
    ...inStages('first', cheapestFirst([...ofPass.first], costOf)),
    ...inStages('second', [...ofPass.second]),
    ...inStages('open', [...ofPass.open]),
    ...inStages('known', cheapestFirst([...ofPass.known], costOf)),
  ];
}

/** How many of its first draws exercise each clause of a stimulus; what only reads costs nothing, and needs no second pass. */
function firstCountOf({ firstCount = 1, readsOnly }: Stimulus): number {
  return readsOnly === true ? Infinity : firstCount;
}

type Plans<Draw> = readonly (readonly [Stimulus, readonly Draw[]])[];

/** Stage by stage, one draw of each stimulus in turn; those that reuse answers follow the others of their stage. */
function inStages<Draw>(pass: Pass, plans: Plans<Draw>): readonly Planned<Draw>[] {
  const groups = STAGES.flatMap((stage) =>
    [false, true].map((reuses) =>
      plans.filter(([each]) => each.stage === stage && (each.reuses === true) === reuses),
    ),
  );
  return groups.flatMap((some) => inTurns(some.map(([, draws]) => draws))).map((draw) => ({ draw, pass }));
}

function cheapestFirst<Draw>(plans: Plans<Draw>, costOf: (draw: Draw) => Cost): Plans<Draw> {
  const priced = plans.map((plan) => {
    const costs = plan[1].map(costOf);
    return { plan, served: sumOf(costs, 'served'), refused: sumOf(costs, 'refused') };
  });
  // A chat that must be refused costs something only where it is served.
  return priced.toSorted((a, b) => a.served - b.served || a.refused - b.refused).map(({ plan }) => plan);
}

function sumOf(costs: readonly Cost[], name: 'served' | 'refused'): number {
  return costs.reduce((sum, cost) => sum + (cost[name] ?? 0), 0);
}
