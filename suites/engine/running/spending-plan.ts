import type { Caps } from '../model/run.ts';
import { type Cost, type Stage, STAGES } from '../model/stimulus.ts';
import { type ClauseForecast, forecastClauses } from './forecast-clauses.ts';
import {
  counterpartsOf,
  plannedStimuli,
  type PlanOptions,
  preflightRequests,
  type Spending,
  spendingOf,
} from './planned-stimuli.ts';

/** What a part of a run sends at most, within the caps. */
export interface PlannedStage extends Spending {
  /** `counterparts`: the accepted requests from which refused ones differ in one place; all stages share them. */
  readonly stage: Stage | 'preflight' | 'counterparts';
  /** The kinds of requests in it, and how many inputs of each are sent. */
  readonly kinds: readonly { readonly name: string; readonly inputs: number }[];
}

/** What a run would send at most to a target as far as it is known, and which clauses it would exercise. */
export interface SpendingPlan {
  readonly caps: Caps;
  readonly stages: readonly PlannedStage[];
  /** Of all stages, as long as nothing fails. */
  readonly total: Spending;
  readonly clauses: readonly ClauseForecast[];
}

/** Works out what a run would send at most, without sending anything. */
export function planSpending(options: PlanOptions): SpendingPlan {
  const { caps, keys } = options;
  const planned = plannedStimuli(options);
  const costs = planned.flatMap((each) => each.costs);
  const preflight = spendingOf([{ reads: preflightRequests(keys) }]);
  const stages: readonly PlannedStage[] = [
    { stage: 'preflight', kinds: [], ...preflight },
    ...STAGES.map((stage) => {
      const own = planned.filter(({ stimulus }) => stimulus.stage === stage);
      const kinds = own.map((each) => ({ name: each.stimulus.name, inputs: each.costs.length }));
      const sent = own.flatMap((each) => each.costs.map(withoutCounterparts));
      return { stage, kinds: kinds.filter(({ inputs }) => inputs > 0), ...spendingOf(sent) };
    }),
    { stage: 'counterparts', kinds: [], ...spendingOf([{ counterparts: counterpartsOf(costs) }]) },
  ];
  return {
    caps,
    stages: stages
      .filter(({ kinds, requests }) => kinds.length + requests > 0)
      .map((each) => within(caps, each)),
    total: within(caps, spendingOf([{ reads: preflight.requests }, ...costs])),
    clauses: forecastClauses(options, planned),
  };
}

function withoutCounterparts(cost: Cost): Cost {
  return { ...cost, counterparts: [] };
}

function within<Part extends Spending>(caps: Caps, part: Part): Part {
  return {
    ...part,
    requests: Math.min(part.requests, caps.requests),
    completions: Math.min(part.completions, caps.completions),
    mostCompletions: Math.min(part.mostCompletions, caps.completions),
  };
}
