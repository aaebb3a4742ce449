import type { Caps, RunOptions, Runs, Target } from '../../../suites/engine/model/run.ts';

/** The timeout of the tested configuration, in milliseconds (CALL-6). */
export const TIMEOUT_MS = 120_000;

interface TierSize extends Pick<RunOptions, 'withholds'> {
  readonly runs: Runs;
  readonly caps: Caps;
  /** As `--max-time` is given. */
  readonly maxTime: string;
}

/**
 * The usual sizes, the smallest first. `free` asks for no completion. Its cap of one sends the chats that must be refused
 * one at a time, up to the first that is served.
 */
const TIERS = {
  free: {
    runs: 'few',
    caps: { requests: 300, completions: 1, outputTokens: 16 },
    maxTime: '15m',
    withholds: 'completions',
  },
  smoke: { runs: 'fewest', caps: { requests: 130, completions: 45, outputTokens: 16 }, maxTime: '15m' },
  full: { runs: 'few', caps: { requests: 300, completions: 70, outputTokens: 16 }, maxTime: '30m' },
  exhaustive: { runs: 55, caps: { requests: 6000, completions: 1000, outputTokens: 64 }, maxTime: '2h' },
} as const satisfies Readonly<Record<string, TierSize>>;

export type Tier = keyof typeof TIERS;

export const TIER_NAMES = ['free', 'smoke', 'full', 'exhaustive'] as const satisfies readonly Tier[];

/** What a run does only by leave. */
export const PERMISSIONS = ['disruptive', 'costly'] as const;

/** Against the mock a size has no caps but that by which `free` asks for no completion. */
export function sizeOf(tier: Tier, kind: Target['kind']): TierSize {
  const size: TierSize = TIERS[tier];
  if (kind === 'live') return size;
  const completions = size.withholds === undefined ? Infinity : size.caps.completions;
  return { ...size, caps: { ...size.caps, requests: Infinity, completions } };
}

/** The mock costs nothing and takes any load; another target costs money and serves others. */
export const DEFAULTS = {
  mock: { tier: 'exhaustive', concurrency: 12, allow: PERMISSIONS },
  live: { tier: 'full', concurrency: 4, allow: [] },
} as const;

/** The flags of a run against a target of this kind, where nothing else gives them: every run has a value of each. */
export function usualFlags(given: Tier | undefined, kind: Target['kind']) {
  const tier = given ?? DEFAULTS[kind].tier;
  const { runs, caps, maxTime } = sizeOf(tier, kind);
  return {
    ...DEFAULTS[kind],
    tier,
    runs,
    maxRequests: caps.requests,
    maxCompletions: caps.completions,
    maxOutputTokens: caps.outputTokens,
    timeout: TIMEOUT_MS,
    maxTime,
  };
}
