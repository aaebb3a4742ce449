import type { Check } from '../check.ts';
import { ifKept, type PlannedTwin } from '../planning/planned-draw.ts';
import { plannedDraws, type Prospect } from '../planning/planned-draws.ts';
import type { PlanOptions } from '../planning/plan-options.ts';
import { type Spending, sumOf } from '../planning/spending-plan.ts';
import type { Stimulus } from '../stimulus.ts';
import { shareCaps } from './share-caps.ts';

/** What a stimulus, or a shard, would send. */
interface Load {
  /** Without accepted twins. */
  readonly own: Spending;
  /** By their prints: equal ones are one request of a shard. */
  readonly twins: ReadonlyMap<string, PlannedTwin>;
}

/**
 * The checks of each of `count` shards, in the order of the catalogue. All checks of a stimulus go to the same shard, so
 * that nothing is sent twice; the dearest stimuli are given out first, each to the shard that has least to do with it.
 */
export function shareChecks(options: PlanOptions, count: number): readonly (readonly Check[])[] {
  const prospects = [...plannedDraws(options)];
  const loads = prospects.map(([stimulus, prospect]) => ({ stimulus, prospect, load: loadOf(prospect) }));
  const whole = spendingOf(joined(loads.map(({ load }) => load)));
  const weight = (load: Load): number => partOf(spendingOf(load), whole);
  const shards = Array.from({ length: count }, () => joined([]));
  const shardOf = new Map<Stimulus, number>();
  for (const { stimulus, prospect, load } of loads.toSorted((a, b) => weight(b.load) - weight(a.load))) {
    const [least] = shards
      .map((shard, i) => ({ i, load: joined([shard, load]) }))
      .filter(({ i }) => !asksForChats(prospect) || hasCompletions(options, i, count))
      .toSorted((a, b) => weight(a.load) - weight(b.load));
    if (least === undefined) continue;
    shards[least.i] = least.load;
    shardOf.set(stimulus, least.i);
  }
  return shards.map((_, i) => options.checks.filter(({ given }) => shardOf.get(given) === i));
}

function loadOf(prospect: Prospect): Load {
  if (prospect.kind === 'not-sent') return joined([]);
  const { draws } = prospect;
  const twins = new Map(draws.flatMap((draw) => draw.twins.map((twin) => [twin.print, twin])));
  return { own: sumOf(draws.map(ifKept)), twins };
}

function joined(loads: readonly Load[]): Load {
  const own = sumOf(loads.map((load) => load.own));
  return { own, twins: new Map(loads.flatMap(({ twins }) => [...twins])) };
}

function spendingOf({ own, twins }: Load): Spending {
  return sumOf([own, ...twins.values()]);
}

/** By whichever cap it comes nearer to. */
function partOf({ requests, completions }: Spending, whole: Spending): number {
  return Math.max(requests / Math.max(whole.requests, 1), completions / Math.max(whole.completions, 1));
}

/** Whether it takes a place under the cap of completions, if only until it is refused. */
function asksForChats(prospect: Prospect): boolean {
  return prospect.kind === 'sent' && prospect.draws.some(({ served, refused }) => served + refused > 0);
}

/** Where there are fewer completions than shards, those that have none can only read. */
function hasCompletions({ caps }: PlanOptions, i: number, count: number): boolean {
  return caps.completions === 0 || shareCaps(caps, { index: i + 1, count }).completions > 0;
}
