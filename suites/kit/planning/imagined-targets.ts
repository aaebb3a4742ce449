import { type ListedModel, type TargetInfo } from '../model/target-info.ts';
import type { PlanOptions } from './plan-options.ts';

/** As many as are ever called one by one. */
const MODELS = 20;

/** The largest contexts that are asked for more than they hold without leave, and some for which it takes leave. */
const SMALL_CONTEXTS = [4095, 8192] as const;
const LARGE_CONTEXTS = [100_000, 200_000] as const;

/** What a target may turn out to be, as far as it decides what is sent. Nothing is asked of it. */
export interface ImaginedTargets {
  /** Targets that list so much that every stimulus which can be sent at all is sent to one of them. */
  readonly richest: readonly TargetInfo[];
  /** One that lists a single model, of which nothing is known. */
  readonly barest: TargetInfo;
}

/** The targets that a run may meet, given what is known before anything is sent. */
export function imaginedTargets(options: PlanOptions): ImaginedTargets {
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

/** Each a model of its own, so that no two stimuli share a counterpart that they might not share. */
function roles([smaller = 0, larger = 0]: readonly number[]): readonly ListedModel[] {
  return [
    { id: 'imagined-sharp', vision: true },
    { id: 'imagined-blind', vision: false },
    { id: 'imagined-smaller', contextTokens: smaller },
    { id: 'imagined-larger', contextTokens: larger },
  ];
}

/** Without vision, like most: what is sent for each such model is planned for. */
function named(prefix: string, count: number): readonly ListedModel[] {
  return Array.from({ length: count }, (_, i) => ({ id: `${prefix}-${i + 1}`, vision: false }));
}
