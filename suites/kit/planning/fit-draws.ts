import type { Caps } from '../model/run.ts';
import { STAGES, type Stimulus } from '../model/stimulus.ts';
import { inTurns } from '../running/in-turns.ts';
import { ifKept, type PlannedDraw } from './planned-draw.ts';

interface Sending {
  readonly stimulus: Stimulus;
  readonly draw: PlannedDraw;
}

/** How many draws of each stimulus fit the caps when they are sent in order and cost as much as they can. */
export function fitDraws(
  plans: ReadonlyMap<Stimulus, readonly PlannedDraw[]>,
  caps: Caps,
  preflight: number,
): ReadonlyMap<Stimulus, number> {
  const fitting = new Map([...plans.keys()].map((each) => [each, 0]));
  const counterparts = new Set<string>();
  let requests = preflight;
  let completions = 0;
  for (const { stimulus, draw } of inOrder(plans)) {
    const fresh = draw.counterparts.filter(({ print }) => !counterparts.has(print));
    const own = ifKept(draw);
    requests += own.requests + fresh.length;
    completions += own.completions + fresh.filter((counterpart) => counterpart.completions > 0).length;
    for (const { print } of fresh) counterparts.add(print);
    // What must be refused takes the place of a completion until it is.
    const needed = completions + (draw.refused > 0 && own.completions === 0 ? 1 : 0);
    if (requests > caps.requests || needed > caps.completions) continue;
    fitting.set(stimulus, (fitting.get(stimulus) ?? 0) + 1);
  }
  return fitting;
}

/** As the engine sends: stage by stage, and the draws of each stimulus in turn. */
function inOrder(plans: ReadonlyMap<Stimulus, readonly PlannedDraw[]>): readonly Sending[] {
  const sendings = [...plans].map(([stimulus, draws]) => draws.map((draw) => ({ stimulus, draw })));
  return STAGES.flatMap((stage) => inTurns(sendings.filter(([first]) => first?.stimulus.stage === stage)));
}
