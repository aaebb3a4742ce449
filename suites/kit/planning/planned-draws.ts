import { type Draw, drawsOf } from '../drawing/draws.ts';
import { remade } from '../drawing/remembered-draws.ts';
import { type Draft, isChargeable } from '../model/exchange.ts';
import type { RunOptions } from '../model/run.ts';
import { type Cost, WITHHELD, skipReasonOf, type Stimulus } from '../model/stimulus.ts';
import type { TargetInfo, ListedModel } from '../model/target.ts';
import { exceedsOutputCap } from '../sending/allowance.ts';
import { requestFingerprint, askedOutput } from '../sending/sent-request.ts';
import { NO_SPENDING, type PlanOptions, type Spending } from './spending-plan.ts';

/** What a stimulus would send. */
export type StimulusPlan =
  | {
      readonly kind: 'sent';
      /** The cost of each of its draws, in order. */
      readonly draws: readonly PlannedDraw[];
      /** Why it may not be sent; undefined when it is certain to be. */
      readonly unless?: string;
    }
  | { readonly kind: 'not-sent'; readonly reason: string };

/** What each stimulus of a run would send, whatever target it meets. */
export function plannedDraws(options: PlanOptions): ReadonlyMap<Stimulus, StimulusPlan> {
  const { richest, barest } = imaginedTargets(options);
  const stimuli = [...new Set(options.checks.map(({ given }) => given))];
  return new Map(stimuli.map((each) => [each, planStimulus(each, richest, barest, options)]));
}

function planStimulus(
  stimulus: Stimulus,
  richest: readonly TargetInfo[],
  barest: TargetInfo,
  options: PlanOptions,
): StimulusPlan {
  const { allow, withholds } = options;
  const open = richest.filter((info) => skipReasonOf(stimulus, info, allow) === undefined);
  const [info] = open;
  if (info === undefined) {
    const [reason] = richest.map((each) => skipReasonOf(stimulus, each, allow));
    return { kind: 'not-sent', reason: reason ?? 'it cannot be sent' };
  }
  const all = open.map((each) => sendable(costs(stimulus, each, options), withholds));
  const draws = longest(all);
  if (draws.length === 0) return { kind: 'not-sent', reason: WITHHELD };
  const unless = skipReasonOf(stimulus, barest, allow);
  return { kind: 'sent', draws, ...(unless !== undefined && { unless }) };
}

/** What failed before is counted beside the other draws, although it may be one of them. */
function costs(stimulus: Stimulus, info: TargetInfo, options: PlanOptions): readonly PlannedDraw[] {
  const again = remade(stimulus, info, options.remembered);
  const costsAgain = again.map((draw) => ({
    ...plannedDraw(draw.cost(info), info.outputTokens),
    isRemembered: true as const,
  }));
  return [...costsAgain, ...costsOfDrawn(stimulus, info, options)];
}

/** Random draws are counted without drawing them: each costs as much as the dearest known one, with its own counterparts. */
function costsOfDrawn(
  stimulus: Stimulus,
  info: TargetInfo,
  { seed, runs }: PlanOptions,
): readonly PlannedDraw[] {
  const plan = (draw: Draw, nth: number): PlannedDraw => ({
    ...plannedDraw(draw.cost(info), info.outputTokens),
    isSpare: stimulus.untilDecided === true && nth > 0,
  });
  if (typeof runs === 'string') return drawsOf(stimulus, info, seed, runs).map(plan);
  const known = drawsOf(stimulus, info, seed, Math.min(runs, 1));
  const tried = known.filter(({ isRandom }) => !isRandom).map(plan);
  const [random] = known.filter(({ isRandom }) => isRandom).map(plan);
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
    onceServed: 0,
    served: most('served'),
    open: most('open'),
    outputTokens: most('outputTokens'),
    counterparts: [],
    isSpare: false,
  };
}

function longest(lists: readonly (readonly PlannedDraw[])[]): readonly PlannedDraw[] {
  return lists.reduce((one, other) => (other.length > one.length ? other : one), []);
}

/** A counterpart: equal prints are one request. */
export interface PlannedCounterpart extends Spending {
  readonly print: string;
}

/** What one draw sends at most, every number filled in. */
export interface PlannedDraw extends Required<Omit<Cost, 'counterparts'>> {
  readonly counterparts: readonly PlannedCounterpart[];
  /** Present: its input failed before. */
  readonly isRemembered?: true;
  /** Whether it is sent only where the draws before it decide nothing. */
  readonly isSpare: boolean;
}

/** `cap`: the most output tokens that are requested where a cost does not say. */
function plannedDraw(cost: Cost, cap: number): PlannedDraw {
  const { reads = 0, refused = 0, onceServed = 0, served = 0, open = 0 } = cost;
  const outputTokens = Math.max(cap, cost.outputTokens ?? 0);
  const counterparts = (cost.counterparts ?? []).map((counterpart) =>
    plannedCounterpart(counterpart, outputTokens),
  );
  return { reads, refused, onceServed, served, open, outputTokens, counterparts, isSpare: false };
}

function plannedCounterpart(draft: Draft, outputTokens: number): PlannedCounterpart {
  const print = requestFingerprint(draft);
  if (!isChargeable(draft)) return { print, requests: 1, completions: 0, outputTokens: 0, open: 0 };
  const open = exceedsOutputCap(draft, outputTokens);
  // Once the target is known, a request may ask for another number, up to the declared one.
  const asked = askedOutput(draft.body);
  return { print, requests: 1, completions: 1, outputTokens: open ? 0 : asked, open: open ? 1 : 0 };
}

/** What is left in a run that requests no completions: like `isSendable`, for a plan. */
function sendable(draws: readonly PlannedDraw[], withholds: RunOptions['withholds']): readonly PlannedDraw[] {
  if (withholds === undefined) return draws;
  return draws
    .filter(({ served }) => served === 0)
    .map((draw) => ({
      ...draw,
      counterparts: draw.counterparts.filter(({ completions }) => completions === 0),
    }))
    .filter(({ reads, refused, counterparts }) => reads + refused + counterparts.length > 0);
}

/** Of the draw's own requests, whatever the service does with them. */
export function atMost({ reads, refused, served, open, outputTokens }: PlannedDraw): Spending {
  return chats(reads + refused + served, refused + served, open, outputTokens);
}

/** Of the draw's own requests, if what must be refused is refused. */
export function ifKept(draw: PlannedDraw): Spending {
  if (draw.isSpare) return NO_SPENDING;
  const { reads, refused, onceServed, served, open, outputTokens } = draw;
  return chats(reads + refused - onceServed + served, served, Math.min(open, served), outputTokens);
}

function chats(requests: number, completions: number, open: number, each: number): Spending {
  // An open completion may also be a bounded one.
  return { requests, completions, outputTokens: completions * each, open };
}

/** The most models that a stimulus calls one by one. */
const MODELS = 20;

/** Contexts small enough to be exceeded without --allow costly, and large ones. */
const SMALL_CONTEXTS = [4095, 8192] as const;
const LARGE_CONTEXTS = [100_000, 200_000] as const;

/** Stand-ins for the target, which decides in part what is sent. */
interface ImaginedTargets {
  /** They list enough that every stimulus that can be sent is sent to one of them. */
  readonly richest: readonly TargetInfo[];
  /** It lists a single model, of which nothing is known. */
  readonly barest: TargetInfo;
}

/** The targets that a run may meet, given what is known before anything is sent. */
function imaginedTargets(options: PlanOptions): ImaginedTargets {
  const { profile, keys, control, caps, runs } = options;
  const common = {
    profile,
    keys,
    control,
    outputTokens: caps.outputTokens,
    thrifty: typeof runs === 'string',
  };
  const cheapest = { id: profile.model ?? 'imagined-0' };
  const rich = (contexts: readonly number[]): TargetInfo => ({
    ...common,
    models: [cheapest, ...roles(contexts), ...named('imagined', MODELS)],
    ...(keys.has('second') && { secondModels: named('imagined-second', MODELS) }),
  });
  return {
    richest: [rich(SMALL_CONTEXTS), rich(LARGE_CONTEXTS)],
    barest: { ...common, models: [cheapest] },
  };
}

/** A different model for each, so that no two stimuli share a counterpart that they might not share. */
function roles([smaller = 0, larger = 0]: readonly number[]): readonly ListedModel[] {
  return [
    { id: 'imagined-sharp', vision: true },
    { id: 'imagined-blind', vision: false },
    { id: 'imagined-smaller', contextTokens: smaller },
    { id: 'imagined-larger', contextTokens: larger },
  ];
}

/** Without vision, like most models: what is sent for each of them is planned for. */
function named(prefix: string, count: number): readonly ListedModel[] {
  return Array.from({ length: count }, (_, i) => ({ id: `${prefix}-${i + 1}`, vision: false }));
}
