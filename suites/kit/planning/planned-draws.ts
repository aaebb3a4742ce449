import { lacking, WITHHELD } from '../model/lacking.ts';
import { type Draw, drawsOf } from '../drawing/draw.ts';
import type { Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target-info.ts';
import { imaginedTargets } from './imagined-targets.ts';
import type { PlanOptions } from './plan-options.ts';
import { type PlannedDraw, plannedDraw, type PlannedCounterpart, sendable } from './planned-draw.ts';

/** What a stimulus would send. */
export type Prospect =
  | {
      readonly kind: 'sent';
      /** The cost of each of its draws, in order. */
      readonly draws: readonly PlannedDraw[];
      /** Why it may not be sent after all; undefined when it is for certain. */
      readonly unless?: string;
    }
  | { readonly kind: 'not-sent'; readonly reason: string };

/** What each stimulus of a run would send, whatever target it meets. */
export function plannedDraws(options: PlanOptions): ReadonlyMap<Stimulus, Prospect> {
  const { richest, barest } = imaginedTargets(options);
  const stimuli = [...new Set(options.checks.map(({ given }) => given))];
  return new Map(stimuli.map((each) => [each, prospectOf(each, richest, barest, options)]));
}

function prospectOf(
  stimulus: Stimulus,
  richest: readonly TargetInfo[],
  barest: TargetInfo,
  options: PlanOptions,
): Prospect {
  const { allow, withholds } = options;
  const open = richest.filter((info) => lacking(stimulus, info, allow) === undefined);
  const [info] = open;
  if (info === undefined) {
    const [reason] = richest.map((each) => lacking(stimulus, each, allow));
    return { kind: 'not-sent', reason: reason ?? 'it cannot be sent' };
  }
  const all = open.map((each) => sendable(costs(stimulus, each, options), withholds));
  const draws = longest(all);
  if (draws.length === 0) return { kind: 'not-sent', reason: WITHHELD };
  const unless = lacking(stimulus, barest, allow);
  return { kind: 'sent', draws, ...(unless !== undefined && { unless }) };
}

/** Many random draws are not drawn to be counted: each is as dear as the dearest that is known, with counterparts of its own. */
function costs(stimulus: Stimulus, info: TargetInfo, { seed, runs }: PlanOptions): readonly PlannedDraw[] {
  const plan = (draw: Draw): PlannedDraw => plannedDraw(draw.cost(info), info.outputTokens);
  if (typeof runs === 'string') return drawsOf(stimulus, info, seed, runs).map(plan);
  const known = drawsOf(stimulus, info, seed, Math.min(runs, 1));
  const tried = known.filter(({ isDrawn }) => !isDrawn).map(plan);
  const [random] = known.filter(({ isDrawn }) => isDrawn).map(plan);
  if (random === undefined) return tried;
  const dear = dearest([...tried, random]);
  const counterpartsOf = (i: number): readonly PlannedCounterpart[] =>
    random.counterparts.map((counterpart) => ({
      ...counterpart,
      print: `${stimulus.name} ${i} ${counterpart.print}`,
    }));
  return [
    ...tried,
    ...Array.from({ length: runs }, (_, i) => ({ ...dear, counterparts: counterpartsOf(i) })),
  ];
}

function dearest(draws: readonly PlannedDraw[]): PlannedDraw {
  const most = (name: 'reads' | 'refused' | 'served' | 'open' | 'outputTokens'): number =>
    Math.max(...draws.map((draw) => draw[name]));
  return {
    reads: most('reads'),
    refused: most('refused'),
    served: most('served'),
    open: most('open'),
    outputTokens: most('outputTokens'),
    counterparts: [],
  };
}

function longest(lists: readonly (readonly PlannedDraw[])[]): readonly PlannedDraw[] {
  return lists.reduce((one, other) => (other.length > one.length ? other : one), []);
}
