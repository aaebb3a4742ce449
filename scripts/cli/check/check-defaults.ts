import type { Caps, RunOptions, Runs, Target } from '../../../suites/kit/model/run.ts';
import type { Permission, Tier } from '../options/check-flags.ts';

/** What the tested configuration waits for an answer, in milliseconds (CALL-6). */
export const TIMEOUT_MS = 120_000;

/** How much a run sends. */
export interface TierSize extends Pick<RunOptions, 'withholds'> {
  readonly runs: Runs;
  readonly caps: Caps;
}

/**
 * The usual sizes. `free` asks for no completion. Its cap of one keeps the chats that must be refused to one at a time,
 * and ends them with the first that is served all the same.
 */
const TIERS: Readonly<Record<Tier, TierSize>> = {
  free: {
    runs: 'few',
    caps: { requests: 300, completions: 1, outputTokens: 16 },
    withholds: 'completions',
  },
  smoke: { runs: 'fewest', caps: { requests: 120, completions: 50, outputTokens: 16 } },
  full: { runs: 'few', caps: { requests: 300, completions: 80, outputTokens: 16 } },
  exhaustive: { runs: 55, caps: { requests: 6000, completions: 2000, outputTokens: 64 } },
};

/** Against the mock a size has no caps but that by which `free` asks for no completion. */
export function sizeOf(tier: Tier, kind: Target['kind']): TierSize {
  const size = TIERS[tier];
  if (kind === 'live') return size;
  const completions = size.withholds === undefined ? Infinity : size.caps.completions;
  return { ...size, caps: { ...size.caps, requests: Infinity, completions } };
}

interface Defaults {
  readonly tier: Tier;
  readonly concurrency: number;
  readonly allow: readonly Permission[];
  /** The folder of the journal and the reports; undefined: nothing is left behind. */
  readonly report: string | undefined;
}

/** The mock costs nothing and bears everything; anything else is somebody's money and somebody's service. */
export const DEFAULTS: Readonly<Record<Target['kind'], Defaults>> = {
  mock: { tier: 'exhaustive', concurrency: 12, allow: ['disruptive', 'costly'], report: undefined },
  live: { tier: 'full', concurrency: 4, allow: [], report: 'chat-conformance-report' },
};
