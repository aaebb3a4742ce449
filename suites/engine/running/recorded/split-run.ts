import type { Check } from '../../model/check.ts';
import type { Caps } from '../../model/run.ts';
import type { Cost, Stimulus } from '../../model/stimulus.ts';
import { plannedStimuli, type PlanOptions, type Spending, spendingOf } from '../planned-stimuli.ts';

/** What a stimulus, or a shard, would send. */
interface Load {
  readonly costs: readonly Cost[];
  /** Whether it takes a place under the cap of completions, if only until it is refused. */
  readonly asksForChats: boolean;
}

export interface ShardShare {
  /** In the order of the catalogue. */
  readonly checks: readonly Check[];
  readonly caps: Caps;
}

/**
 * Splits a run into `count` shards. All checks of a stimulus go to the same one, so that nothing is sent twice; the
 * dearest stimuli are assigned first, each to the shard with the least load. Each shard's caps are in proportion to
 * its load.
 */
export function splitRun(options: PlanOptions, count: number): readonly ShardShare[] {
  const { checks, caps } = options;
  const { shards, shardOf } = assignStimuli(options, count);
  const requests = shareOut(
    caps.requests,
    shards.map(({ costs }) => PREFLIGHT + spendingOf(costs).requests),
  );
  const completions = shareOut(
    caps.completions,
    // Even a chat that must be refused takes a place until it is.
    shards.map(({ costs, asksForChats }) => (asksForChats ? 1 + spendingOf(costs).completions : 0)),
  );
  return shards.map((_, i) => ({
    checks: checks.filter(({ given }) => shardOf.get(given) === i),
    caps: { ...caps, requests: requests[i] ?? 0, completions: completions[i] ?? 0 },
  }));
}

/** Every shard reads the models of each key, and the vision capabilities. */
const PREFLIGHT = 3;

function assignStimuli(options: PlanOptions, count: number) {
  // No shard has the caps of the whole, so that none leaves anything out for their sake.
  const boundless = { ...options, caps: { ...options.caps, requests: Infinity, completions: Infinity } };
  const loads = plannedStimuli(boundless).map(({ stimulus, costs }) => ({
    stimulus,
    // What nothing is known of may be sent to the target all the same.
    load: { costs, asksForChats: stimulus.readsOnly !== true },
  }));
  const whole = spendingOf(loads.flatMap(({ load }) => load.costs));
  const weight = (load: Load): number => loadWithin(spendingOf(load.costs), whole);
  const shards: Load[] = Array.from({ length: count }, () => ({ costs: [], asksForChats: false }));
  const shardOf = new Map<Stimulus, number>();
  for (const { stimulus, load } of loads.toSorted((a, b) => weight(b.load) - weight(a.load))) {
    const [least] = shards
      .map((shard, i) => ({ i, load: joined(shard, load) }))
      .filter(({ i }) => !load.asksForChats || mayUseCompletions(options, i))
      .toSorted((a, b) => weight(a.load) - weight(b.load));
    if (least === undefined) continue;
    shards[least.i] = least.load;
    shardOf.set(stimulus, least.i);
  }
  return { shards, shardOf };
}

/** Where there are fewer completions than shards, those that get none can only read. */
function mayUseCompletions({ caps }: PlanOptions, i: number): boolean {
  return caps.completions === 0 || i < caps.completions;
}

function joined(one: Load, other: Load): Load {
  return {
    costs: [...one.costs, ...other.costs],
    asksForChats: one.asksForChats || other.asksForChats,
  };
}

/** In relation to the tighter of the two caps. */
function loadWithin({ requests, completions }: Spending, whole: Spending): number {
  return Math.max(requests / Math.max(whole.requests, 1), completions / Math.max(whole.completions, 1));
}

/**
 * Shares of a whole number that add up to it, in proportion to these weights; one at least where there is a weight and
 * the whole has enough. Infinity is shared by all.
 */
export function shareOut(whole: number, weights: readonly number[]): readonly number[] {
  if (whole === Infinity) return weights.map(() => Infinity);
  const sum = weights.reduce((one, other) => one + other, 0);
  const positive = weights.filter((weight) => weight > 0).length;
  if (positive === 0)
    return shareOut(
      whole,
      weights.map(() => 1),
    );
  const least = positive <= whole ? 1 : 0;
  const rest = whole - least * positive;
  let passed = 0;
  return weights.map((weight) => {
    const before = Math.floor((rest * passed) / sum);
    passed += weight;
    return (weight > 0 ? least : 0) + Math.floor((rest * passed) / sum) - before;
  });
}
