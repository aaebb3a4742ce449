import { type Draw, drawsOf } from '../inputs/draws.ts';
import { rememberedFirst } from '../inputs/remembered-draws.ts';
import { type Check, type Invariant, levelOf } from '../model/check.ts';
import { isChargeable, KEY_NAMES } from '../model/exchange.ts';
import { decidedDuties } from '../model/ruling.ts';
import type { Caps, RunOptions, Target } from '../model/run.ts';
import {
  type Cost,
  isSendable,
  skipReasonOf,
  type Stage,
  STAGES,
  type Stimulus,
  WITHHELD,
  type RememberedFailure,
} from '../model/stimulus.ts';
import type { CheckResult, ClauseResult } from '../model/summary.ts';
import type { TargetInfo } from '../model/target.ts';
import { requestFingerprint } from '../sending/sent-request.ts';
import { clauseResults } from '../summary/clause-results.ts';

/** The options of a run that decide what it would send. */
export interface PlanOptions extends Pick<
  RunOptions,
  'checks' | 'invariants' | 'selected' | 'seed' | 'runs' | 'caps' | 'withholds' | 'allow' | 'control'
> {
  readonly target: Pick<Target, 'profile' | 'keys'>;
}

/** What is sent; a request that is sent again after a rate limit error counts once. */
export interface Spending {
  readonly requests: number;
  /** If the service refuses what it must refuse. */
  readonly completions: number;
  /** If it accepts everything. */
  readonly mostCompletions: number;
}

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
  /** As the run would report them if whatever it sends holds. */
  readonly clauses: readonly ClauseResult[];
}

/** Works out what a run would send at most, without sending anything. */
export function planSpending(options: PlanOptions): SpendingPlan {
  const { caps } = options;
  const planned = plannedStimuli(options);
  const costs = planned.flatMap((each) => each.costs);
  const preflight = { reads: preflightRequests(options) };
  const part = (stage: PlannedStage['stage'], some: readonly Cost[], kinds: PlannedStage['kinds'] = []) => ({
    stage,
    kinds,
    ...within(caps, spendingOf(some)),
  });
  const stages = [
    part('preflight', [preflight]),
    ...STAGES.map((stage) => {
      const own = planned.filter(({ stimulus, costs: { length } }) => stimulus.stage === stage && length > 0);
      const kinds = own.map((each) => ({ name: each.stimulus.name, inputs: each.costs.length }));
      const sent = own.flatMap((each) => each.costs.map((cost) => ({ ...cost, counterparts: [] })));
      return part(stage, sent, kinds);
    }),
    part('counterparts', [{ counterparts: costs.flatMap(({ counterparts = [] }) => counterparts) }]),
  ];
  return {
    caps,
    stages: stages.filter(({ kinds, requests }) => kinds.length + requests > 0),
    total: within(caps, spendingOf([preflight, ...costs])),
    clauses: forecastClauses(options, planned),
  };
}

function within(caps: Caps, { requests, completions, mostCompletions }: Spending): Spending {
  return {
    requests: Math.min(requests, caps.requests),
    completions: Math.min(completions, caps.completions),
    mostCompletions: Math.min(mostCompletions, caps.completions),
  };
}

/** What a stimulus would send to the target as far as it is known. */
export interface PlannedStimulus {
  readonly stimulus: Stimulus;
  /** Of each of its draws, the most telling first; empty where it is not sent. */
  readonly costs: readonly Cost[];
  /** Why it is not sent, or not even its first draw fits the caps. */
  readonly reason?: string;
}

/** What each stimulus of a run would send. */
export function plannedStimuli(options: PlanOptions): readonly PlannedStimulus[] {
  const info = knownTarget(options);
  return [...new Set(options.checks.map(({ given }) => given))].map((stimulus) => {
    const draws = drawsToSend(stimulus, info, options);
    if (typeof draws === 'string') return { stimulus, costs: [], reason: draws };
    const costs = draws.map((draw) => sentCost(draw.cost(info), options));
    return costs.slice(0, 1).every((first) => fits(first, options))
      ? { stimulus, costs }
      : { stimulus, costs: [], reason: 'the limits leave no room for it' };
  });
}

/** The draws of a stimulus that a run sends, or why it sends none of it. */
export function drawsToSend(
  stimulus: Stimulus,
  info: TargetInfo,
  { seed, runs, allow, withholds }: Pick<RunOptions, 'seed' | 'runs' | 'allow' | 'withholds'>,
  remembered: readonly RememberedFailure[] = [],
): readonly Draw[] | string {
  const reason = skipReasonOf(stimulus, info, allow);
  if (reason !== undefined) return reason;
  const draws = rememberedFirst(drawsOf(stimulus, info, seed, runs), stimulus, info, remembered);
  // The cost is made for every draw: should it throw, then here, where the failure has its checks.
  const sendable = draws.filter((draw) => isSendable(draw.cost(info)) || withholds === undefined);
  return sendable.length === 0 && withholds !== undefined ? WITHHELD : sendable;
}

/** What a run knows of its target without any answer. */
export function infoBefore({
  target,
  control,
  caps,
  runs,
}: Pick<RunOptions, 'control' | 'caps' | 'runs'> & Pick<PlanOptions, 'target'>): Omit<TargetInfo, 'models'> {
  return {
    profile: target.profile,
    keys: new Set(KEY_NAMES.filter((name) => target.keys[name] !== undefined)),
    control: control !== undefined,
    outputTokens: caps.outputTokens,
    thrifty: typeof runs === 'string',
  };
}

/** The models that the profile names, or else one of which nothing is known. */
function knownTarget(options: PlanOptions): TargetInfo {
  const { profile, keys } = options.target;
  const named = Object.entries(profile.models ?? {}).map(([id, facts]) => ({ id, ...facts }));
  const first = profile.model ?? named[0]?.id ?? 'unknown';
  const cheapest = named.find(({ id }) => id === first) ?? { id: first };
  return {
    ...infoBefore(options),
    models: [cheapest, ...named.filter(({ id }) => id !== first)],
    ...(keys.second !== undefined && { secondModels: [] }),
  };
}

/** A run that requests no completions sends no counterpart that would be one. */
function sentCost({ counterparts = [], ...own }: Cost, { withholds }: PlanOptions): Cost {
  return {
    ...own,
    counterparts: counterparts.filter((each) => withholds === undefined || !isChargeable(each)),
  };
}

/** Whether the caps allow a draw, given that nothing else is sent. */
function fits(cost: Cost, options: PlanOptions): boolean {
  const { requests, completions } = spendingOf([cost]);
  const { refused = 0, served = 0 } = cost;
  // A chat that must be refused takes the place of a completion until it is refused.
  const places = completions + (refused > 0 && served === 0 ? 1 : 0);
  const { caps } = options;
  return requests + preflightRequests(options) <= caps.requests && places <= caps.completions;
}

/** The models of each key, and the vision capabilities. */
function preflightRequests({ target: { keys } }: PlanOptions): number {
  return keys.second === undefined ? 2 : 3;
}

/** What these cost at most. Equal counterparts are sent once. */
export function spendingOf(costs: readonly Cost[]): Spending {
  const all = costs.flatMap(({ counterparts = [] }) => counterparts);
  const counterparts = [...new Map(all.map((each) => [requestFingerprint(each), each])).values()];
  const sum = (of: (cost: Cost) => number): number => costs.reduce((total, cost) => total + of(cost), 0);
  const served = sum((cost) => cost.served ?? 0);
  const refused = sum((cost) => cost.refused ?? 0);
  const completions = served + counterparts.filter(isChargeable).length;
  const own = sum(({ reads = 0 }) => reads) + refused + served;
  return { requests: own + counterparts.length, completions, mostCompletions: completions + refused };
}

/** What a run would report of each clause if whatever it sends holds. */
function forecastClauses(
  { checks, invariants, selected, withholds, target: { keys } }: PlanOptions,
  planned: readonly PlannedStimulus[],
): readonly ClauseResult[] {
  const passing = invariants.filter(({ id }) => selected?.has(id) ?? true);
  const results = [...checks, ...passing].map((of) => {
    const { costs = [], reason } =
      planned.find(({ stimulus }) => 'given' in of && of.given === stimulus) ?? {};
    const isHalf = withholds !== undefined && costs.some(({ refused = 0 }) => refused > 0);
    return forecastResult(of, reason, isHalf);
  });
  return clauseResults(results, {
    invariants: new Set(passing.map(({ id }) => id)),
    keys: new Set(KEY_NAMES.filter((name) => keys[name] !== undefined)),
  });
}

const HALF = 'violations are found, but a refusal alone is no pass';

/** `unsent`: why nothing is sent for it. `isHalf`: no counterparts are sent. */
function forecastResult(of: Check | Invariant, unsent: string | undefined, isHalf: boolean): CheckResult {
  const { id, clauses, title, decides } = of;
  const level = levelOf(of);
  const verdict =
    unsent !== undefined ? 'not-exercised' : isHalf ? 'inconclusive' : level === 'open' ? 'observed' : 'pass';
  const reason = unsent ?? (isHalf ? HALF : '');
  const duties = [decides === undefined ? [] : decidedDuties(decides)].flat(2);
  const seen = { duties: duties.map((duty) => ({ duty, verdict, reason }) as const) };
  const nothing = { exchanges: 0, failures: [], evidence: [] };
  return { id, clauses, title, level, verdict, reason, ...(duties.length > 0 && seen), ...nothing };
}
