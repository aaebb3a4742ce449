import { drawsOf } from '../inputs/draws.ts';
import { type Draft, isChargeable, KEY_NAMES, type KeyName } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import { type Cost, isSendable, skipReasonOf, type Stimulus, WITHHELD } from '../model/stimulus.ts';
import type { ListedModel, Profile, TargetInfo } from '../model/target.ts';
import { requestFingerprint } from '../sending/sent-request.ts';

/** What is known of a run before anything is sent. */
export interface PlanOptions extends Pick<
  RunOptions,
  'checks' | 'invariants' | 'selected' | 'seed' | 'runs' | 'caps' | 'withholds' | 'allow'
> {
  readonly profile: Profile;
  readonly keys: ReadonlySet<KeyName>;
  /** Whether faults can be armed and the workspace be read. */
  readonly control: boolean;
}

/** The same of a run that is about to begin. */
export function planOptionsOf(options: RunOptions): PlanOptions {
  const { target, control } = options;
  const keys = new Set(KEY_NAMES.filter((name) => target.keys[name] !== undefined));
  return { ...options, profile: target.profile, keys, control: control !== undefined };
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
  const { checks, allow, seed, runs, withholds } = options;
  const info = knownTarget(options);
  return [...new Set(checks.map(({ given }) => given))].map((stimulus) => {
    const unsent = (reason: string): PlannedStimulus => ({ stimulus, costs: [], reason });
    const reason = skipReasonOf(stimulus, info, allow);
    if (reason !== undefined) return unsent(reason);
    const drawn = drawsOf(stimulus, info, seed, runs).map((draw) => draw.cost(info));
    const costs = withholds === undefined ? drawn : drawn.filter(isSendable).map(withoutChats);
    const [first] = costs;
    if (first === undefined) return unsent(WITHHELD);
    return fits(first, options) ? { stimulus, costs } : unsent(NO_ROOM);
  });
}

const NO_ROOM = 'the limits leave no room for it';

/** The models that the profile names, or else one of which nothing is known. */
function knownTarget({ profile, keys, control, caps, runs }: PlanOptions): TargetInfo {
  const named = Object.entries(profile.models ?? {}).map(([id, facts]): ListedModel => ({ id, ...facts }));
  const [first = { id: 'unknown' }] = named;
  const cheapest = named.find(({ id }) => id === profile.model) ?? {
    ...first,
    id: profile.model ?? first.id,
  };
  return {
    profile,
    keys,
    control,
    models: [cheapest, ...named.filter(({ id }) => id !== cheapest.id)],
    ...(keys.has('second') && { secondModels: [] }),
    outputTokens: caps.outputTokens,
    thrifty: typeof runs === 'string',
  };
}

/** A run that requests no completions sends no counterpart that would be one. */
function withoutChats({ counterparts = [], ...own }: Cost): Cost {
  return { ...own, counterparts: counterparts.filter((counterpart) => !isChargeable(counterpart)) };
}

/** Whether the caps allow a draw, given that nothing else is sent. */
function fits(cost: Cost, { caps, keys }: PlanOptions): boolean {
  const { requests, completions } = spendingOf([cost]);
  const { refused = 0, served = 0 } = cost;
  // A chat that must be refused takes the place of a completion until it is refused.
  const places = completions + (refused > 0 && served === 0 ? 1 : 0);
  return requests + preflightRequests(keys) <= caps.requests && places <= caps.completions;
}

/** The models of each key, and the vision capabilities. */
export function preflightRequests(keys: ReadonlySet<KeyName>): number {
  return keys.has('second') ? 3 : 2;
}

/** What is sent; a request that is sent again after a rate limit error counts once. */
export interface Spending {
  readonly requests: number;
  /** If the service refuses what it must refuse. */
  readonly completions: number;
  /** If it accepts everything. */
  readonly mostCompletions: number;
}

/** What these cost at most. Equal counterparts are sent once. */
export function spendingOf(costs: readonly Cost[]): Spending {
  const counterparts = counterpartsOf(costs);
  const sum = (of: (cost: Cost) => number): number => costs.reduce((total, cost) => total + of(cost), 0);
  const served = sum((cost) => cost.served ?? 0);
  const refused = sum((cost) => cost.refused ?? 0);
  const completions = served + counterparts.filter(isChargeable).length;
  const own = sum(({ reads = 0 }) => reads) + refused + served;
  return { requests: own + counterparts.length, completions, mostCompletions: completions + refused };
}

/** Each once. */
export function counterpartsOf(costs: readonly Cost[]): readonly Draft[] {
  const all = costs.flatMap(({ counterparts = [] }) => counterparts);
  return [...new Map(all.map((each) => [requestFingerprint(each), each])).values()];
}
