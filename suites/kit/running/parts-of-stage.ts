import { isReading } from '../model/cost.ts';
import type { TargetInfo } from '../model/target-info.ts';
import type { Draw } from '../drawing/draw.ts';

/** The draws of one stage, in the order in which they are sent. */
export interface PartsOfStage {
  /** Of stimuli that cost nothing in any of their draws. */
  readonly reading: readonly Draw[];
  /** Sent side by side. */
  readonly together: readonly Draw[];
  /** Sent one by one. */
  readonly alone: readonly Draw[];
}

/** `plans`: the draws of each stimulus; `draws`: all of them in the order of the run. */
export function partsOf(
  plans: readonly (readonly Draw[])[],
  draws: readonly Draw[],
  info: TargetInfo,
): PartsOfStage {
  const costless = plans.filter((plan) => plan.every((draw) => isReading(draw.cost(info))));
  const stimuli = new Set(costless.flat().map(({ stimulus }) => stimulus));
  const others = draws.filter(({ stimulus }) => !stimuli.has(stimulus));
  return {
    reading: draws.filter(({ stimulus }) => stimuli.has(stimulus)),
    together: others.filter(({ stimulus }) => stimulus.alone !== true),
    alone: others.filter(({ stimulus }) => stimulus.alone === true),
  };
}
