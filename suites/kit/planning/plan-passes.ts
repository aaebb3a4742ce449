import { type PartOfRun, passesOf } from '../drawing/passes.ts';
import { areKnown, type Caps, PASSES } from '../model/run.ts';
import type { Stimulus } from '../model/stimulus.ts';
import { atMost, ifKept, type PlannedCounterpart, type PlannedDraw } from './planned-draws.ts';
import { type PlannedPass, type PlanOptions, type Spending, sumOf } from './spending-plan.ts';

type Plans = ReadonlyMap<Stimulus, readonly PlannedDraw[]>;

interface Sending {
  readonly stimulus: Stimulus;
  readonly draw: PlannedDraw;
  /** Its counterparts that nothing before it has. */
  readonly counterparts: readonly PlannedCounterpart[];
}

/** Every draw in the order of the run, pass by pass. */
export function inOrder(
  plans: Plans,
  { checks, known: knownFailures }: Pick<PlanOptions, 'checks' | 'known'>,
): readonly PartOfRun<Sending>[] {
  const checksOf = Map.groupBy(checks, ({ given }) => given);
  const draws = [...plans].map(
    ([stimulus, own]) => [stimulus, own.map((draw) => ({ stimulus, draw }))] as const,
  );
  const parts = passesOf(new Map(draws), {
    isOpen: (stimulus) => checksOf.get(stimulus)?.every(({ level }) => level === 'open') === true,
    isRemembered: ({ draw }) => draw.isRemembered === true,
    isKnown: (stimulus) => areKnown(checksOf.get(stimulus) ?? [], knownFailures),
    costOf: ({ draw: { reads, refused, served } }) => ({ reads, refused, served }),
  });
  const known = new Set<string>();
  return parts.map((part) => ({
    ...part,
    draws: part.draws.map((each) => {
      const counterparts = each.draw.counterparts.filter(({ print }) => !known.has(print));
      for (const { print } of counterparts) known.add(print);
      return { ...each, counterparts };
    }),
  }));
}

/** What each pass sends: the first one exercises every clause once. */
export function plannedPasses(parts: readonly PartOfRun<Sending>[]): readonly PlannedPass[] {
  return PASSES.map((pass) => {
    const draws = parts.flatMap((part) => (part.pass === pass ? part.draws : []));
    const spending = (of: (draw: PlannedDraw) => Spending): Spending =>
      sumOf(draws.flatMap(({ draw, counterparts }) => [of(draw), ...counterparts]));
    return { pass, draws: draws.length, atMost: spending(atMost), ifKept: spending(ifKept) };
  }).filter(({ draws }) => draws > 0);
}

/** How many draws of each stimulus fit the caps when they are sent in order and cost as much as they can. */
export function drawsWithinCaps(
  parts: readonly PartOfRun<Sending>[],
  caps: Caps,
  preflight: number,
): ReadonlyMap<Stimulus, number> {
  const fitting = new Map<Stimulus, number>();
  let requests = preflight;
  let completions = 0;
  for (const { stimulus, draw, counterparts } of parts.flatMap(({ draws }) => draws)) {
    const own = ifKept(draw);
    requests += own.requests + counterparts.length;
    completions += own.completions + sumOf(counterparts).completions;
    // A chat that must be refused takes the place of a completion until it is refused.
    const needed = completions + (draw.refused > 0 && own.completions === 0 ? 1 : 0);
    if (requests > caps.requests || needed > caps.completions) continue;
    fitting.set(stimulus, (fitting.get(stimulus) ?? 0) + 1);
  }
  return fitting;
}
