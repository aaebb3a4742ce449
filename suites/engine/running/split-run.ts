import type { Check } from '../model/check.ts';
import type { Caps } from '../model/run.ts';
import type { Stimulus } from '../model/stimulus.ts';
import { type PlanOptions, plannedStimuli, type Spending, spendingOf } from './planned-draws.ts';
import { knownTarget } from './spending-plan.ts';

export interface ShardShare {
  /** In the order of the catalogue. */
  readonly checks: readonly Check[];
  readonly caps: Caps;
}

/** Every shard reads the models of each key, and the vision capabilities. */
const PREFLIGHT = 3;

/**
 * Splits a run into `count` shards. All checks of a stimulus go to the same one, so that nothing is sent twice; the
 * dearest stimuli are assigned first, each to the shard with the least to send. Each shard's caps are in proportion to
 * what it sends.
 */
export function splitRun(options: PlanOptions, count: number): readonly ShardShare[] {
  const { checks, caps } = options;
  const shards = Array.from({ length: count }, () => ({
    stimuli: new Set<Stimulus>(),
    requests: PREFLIGHT,
    completions: 0,
  }));
  // Where there are fewer completions than shards, those that get none can only read.
  const paying = caps.completions > 0 ? shards.slice(0, caps.completions) : shards;
  const info = knownTarget(options);
  const loads = plannedStimuli(options, info).map(({ stimulus, draws }) => ({
    stimulus,
    ...spendingOf(draws.map((draw) => draw.cost(info))),
  }));
  for (const { stimulus, requests, completions } of loads.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    // What nothing is known of may be sent to the target all the same.
    const asksForChats = stimulus.readsOnly !== true;
    const [least] = (asksForChats ? paying : shards).toSorted((a, b) => weightOf(a) - weightOf(b));
    if (least === undefined) continue;
    least.stimuli.add(stimulus);
    least.requests += requests;
    // Even a chat that must be refused takes a place until it is.
    least.completions += completions + (asksForChats ? 1 : 0);
  }
  const [requests, completions] = (['requests', 'completions'] as const).map((of) =>
    shareOut(
      caps[of],
      shards.map((shard) => shard[of]),
    ),
  );
  return shards.map(({ stimuli }, i) => ({
    checks: checks.filter(({ given }) => stimuli.has(given)),
    caps: { ...caps, requests: requests?.[i] ?? 0, completions: completions?.[i] ?? 0 },
  }));
}

/** A completion takes long, and costs something. */
function weightOf({ requests, completions }: Pick<Spending, 'requests' | 'completions'>): number {
  return requests + completions;
}

/**
 * Shares of a whole number that add up to it, in proportion to these weights; one at least where there is a weight and
 * the whole has enough. Infinity is shared by all.
 */
export function shareOut(whole: number, weights: readonly number[]): readonly number[] {
  if (whole === Infinity) return weights.map(() => Infinity);
  const weighed = weights.some((weight) => weight > 0) ? weights : weights.map(() => 1);
  const positive = weighed.filter((weight) => weight > 0).length;
  const least = positive <= whole ? 1 : 0;
  const sum = weighed.reduce((one, other) => one + other, 0);
  const until = (end: number): number => weighed.slice(0, end).reduce((one, other) => one + other, 0);
  const rest = whole - least * positive;
  return weighed.map(
    (weight, i) =>
      (weight > 0 ? least : 0) +
      Math.floor((rest * until(i + 1)) / sum) -
      Math.floor((rest * until(i)) / sum),
  );
}
