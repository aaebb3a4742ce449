import type { RunOptions } from '../model/run.ts';
import { STAGES, type Stimulus } from '../model/stimulus.ts';
import { FITTING } from '../preflight/fit-target.ts';
import type { WireBounds } from '../sending/wire.ts';
import { forecastClauses } from './forecast-clauses.ts';
import { drawsWithinCaps, inOrder, plannedPasses } from './plan-passes.ts';
import {
  atMost,
  ifKept,
  type PlannedDraw,
  type PlannedCounterpart,
  plannedDraws,
  type StimulusPlan,
} from './planned-draws.ts';
import {
  type PlanOptions,
  NO_SPENDING,
  type PlannedGroup,
  type Spending,
  type SpendingPlan,
  sumOf,
} from './spending-plan.ts';

/** The most that the search for simpler failures sends in a run. */
export const SEARCH_LIMITS = {
  mock: { attempts: 200, requests: 20_000 },
  live: { attempts: 20, requests: 100 },
} as const satisfies Record<PlanOptions['kind'], { attempts: number; requests: number }>;

/** A plan, and the bounds by which the engine enforces it. */
export interface BoundedPlan extends SpendingPlan, WireBounds {
  readonly draws: ReadonlyMap<Stimulus, number>;
}

/** Works out what a run would send at most, without sending anything. */
export function planSpending(options: PlanOptions): BoundedPlan {
  const prospects = plannedDraws(options);
  const plans = new Map([...prospects].map(([stimulus, prospect]) => [stimulus, drawsIn(prospect)]));
  const preflight = preflightGroup(options);
  const parts = inOrder(plans, options);
  const certain = drawsWithinCaps(parts, options.caps, preflight.atMost.requests);
  const counterparts = counterpartsIn([...plans.values()].flat());
  const stimuli = inStages(plans).map(([stimulus, draws]) =>
    groupOf(stimulus, draws, certain.get(stimulus) ?? 0),
  );
  const fitting = fittingGroup(options);
  const first = [preflight, counterpartGroup(counterparts), fitting, ...stimuli, searchGroup(options)];
  const resends = sumOf(first.map((group) => group.atMost)).requests;
  const groups = [...first, resendGroup(resends)];
  const within = (of: 'atMost' | 'ifKept'): Spending =>
    capped(sumOf(groups.map((group) => group[of])), options.caps);
  return {
    caps: options.caps,
    groups: groups.filter((group) => group.atMost.requests > 0),
    passes: plannedPasses(parts),
    atMost: within('atMost'),
    ifKept: within('ifKept'),
    clauses: forecastClauses(options, prospects, certain),
    draws: new Map([...plans].map(([stimulus, draws]) => [stimulus, draws.length])),
    counterparts: counterparts.length + fitting.atMost.requests + SEARCH_LIMITS[options.kind].requests,
    resends,
    reuses: typeof options.runs === 'string',
  };
}

function drawsIn(prospect: StimulusPlan): readonly PlannedDraw[] {
  return prospect.kind === 'sent' ? prospect.draws : [];
}

function inStages(plans: ReadonlyMap<Stimulus, readonly PlannedDraw[]>) {
  return STAGES.flatMap((stage) => [...plans].filter(([stimulus]) => stimulus.stage === stage));
}

function preflightGroup({ keys }: PlanOptions): PlannedGroup {
  const reads = { ...NO_SPENDING, requests: keys.has('second') ? 3 : 2 };
  return { name: 'preflight', stage: 'preflight', draws: 1, certain: 1, atMost: reads, ifKept: reads };
}

function groupOf(stimulus: Stimulus, draws: readonly PlannedDraw[], certain: number): PlannedGroup {
  const { name, stage } = stimulus;
  const [most, kept] = [sumOf(draws.map(atMost)), sumOf(draws.map(ifKept))];
  return { name, stage, draws: draws.length, certain, atMost: most, ifKept: kept };
}

/** Each once, however many draws it is the counterpart of. */
function counterpartsIn(draws: readonly PlannedDraw[]): readonly PlannedCounterpart[] {
  return [
    ...new Map(
      draws.flatMap(({ counterparts }) =>
        counterparts.map((counterpart) => [counterpart.print, counterpart]),
      ),
    ).values(),
  ];
}

function counterpartGroup(counterparts: readonly PlannedCounterpart[]): PlannedGroup {
  const all = sumOf(counterparts);
  const { length } = counterparts;
  return { name: 'counterparts', stage: 'any', draws: length, certain: length, atMost: all, ifKept: all };
}

/** Nothing is fitted where the first chat is accepted. */
function fittingGroup({ checks, withholds }: PlanOptions): PlannedGroup {
  const sendsChats = withholds === undefined && checks.some(({ given }) => given.readsOnly !== true);
  return {
    name: 'fitting',
    stage: 'preflight',
    draws: 0,
    certain: 0,
    atMost: sendsChats ? FITTING : NO_SPENDING,
    ifKept: NO_SPENDING,
  };
}

/** A run without failures searches for nothing. */
function searchGroup({ kind, caps }: PlanOptions): PlannedGroup {
  const { requests } = SEARCH_LIMITS[kind];
  const all = { requests, completions: requests, outputTokens: requests * caps.outputTokens, open: requests };
  return { name: 'simpler-failures', stage: 'any', draws: 0, certain: 0, atMost: all, ifKept: NO_SPENDING };
}

/** A request that the rate limit refused was no completion; the one sent in its place is counted already. */
function resendGroup(resends: number): PlannedGroup {
  const again = { ...NO_SPENDING, requests: resends };
  return { name: 'sent-again', stage: 'any', draws: 0, certain: 0, atMost: again, ifKept: NO_SPENDING };
}

function capped(sum: Spending, caps: RunOptions['caps']): Spending {
  return {
    ...sum,
    requests: Math.min(sum.requests, caps.requests),
    completions: Math.min(sum.completions, caps.completions),
    open: Math.min(sum.open, caps.completions),
  };
}
