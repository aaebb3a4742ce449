import { type Draw, drawsOf } from '../inputs/draws.ts';
import { rememberedFirst } from '../inputs/remembered-draws.ts';
import type { Check } from '../model/check.ts';
import { isChargeable, KEY_NAMES } from '../model/exchange.ts';
import { asError } from '../model/ruling.ts';
import { rememberedIn, type RunOptions, type Target } from '../model/run.ts';
import { type Cost, isSendable, skipReasonOf, type Stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { requestFingerprint } from '../sending/sent-request.ts';

/** The options of a run, before its target has an address. */
export type PlanOptions = Omit<RunOptions, 'target'> & { readonly target: Pick<Target, 'profile' | 'keys'> };

/** What a run sends of one stimulus, for the checks that share it. */
export interface PlannedStimulus {
  readonly stimulus: Stimulus;
  readonly checks: readonly Check[];
  /** Those that failed before, then the most telling ones. */
  readonly draws: readonly Draw[];
  /** Why none is sent: a reason, or a failure of ours. */
  readonly unsent?: string | Error;
}

const WITHHELD = 'it takes a completion, and this run requests none';

/** What a run would send to a target of which this is known. */
export function plannedStimuli(options: PlanOptions, info: TargetInfo): readonly PlannedStimulus[] {
  const { checks, seed, runs, allow, withholds } = options;
  const remembered = rememberedIn(options);
  return [...Map.groupBy(checks, ({ given }) => given)].map(([stimulus, sharing]) => {
    const unsentFor = (unsent: string | Error) => ({ stimulus, checks: sharing, draws: [], unsent });
    try {
      const reason = skipReasonOf(stimulus, info, allow);
      if (reason !== undefined) return unsentFor(reason);
      const all = rememberedFirst(drawsOf(stimulus, info, seed, runs), stimulus, info, remembered);
      // The cost is made for every draw: should it throw, then here, where the failure has its checks.
      const draws = all.filter((draw) => isSendable(draw.cost(info)) || withholds === undefined);
      return draws.length === 0 && withholds !== undefined
        ? unsentFor(WITHHELD)
        : { stimulus, checks: sharing, draws };
    } catch (error) {
      return unsentFor(asError(error));
    }
  });
}

/** What a run knows of its target without any answer. */
export function infoBefore({ target, control, caps, runs }: PlanOptions): Omit<TargetInfo, 'models'> {
  const { profile, keys } = target;
  return {
    profile,
    keys: new Set(KEY_NAMES.filter((name) => keys[name] !== undefined)),
    control: control !== undefined,
    outputTokens: caps.outputTokens,
    thrifty: typeof runs === 'string',
  };
}

/**
 * What these cost at most. Equal counterparts are sent once, and a request that is sent again after a rate limit error
 * counts once.
 */
export function spendingOf(costs: readonly Cost[]) {
  const all = costs.flatMap(({ counterparts = [] }) => counterparts);
  const counterparts = [...new Map(all.map((each) => [requestFingerprint(each), each])).values()];
  const sum = (of: 'reads' | 'refused' | 'served'): number =>
    costs.reduce((total, cost) => total + (cost[of] ?? 0), 0);
  const completions = sum('served') + counterparts.filter(isChargeable).length;
  return {
    requests: sum('reads') + sum('refused') + sum('served') + counterparts.length,
    /** If the service refuses what it must refuse. */
    completions,
    /** If it accepts everything. */
    mostCompletions: completions + sum('refused'),
  };
}
