import type { RunOptions } from '../model/run.ts';

/** What of a run decides how its requests leave. */
export type WireOptions = Pick<
  RunOptions,
  | 'target'
  | 'control'
  | 'caps'
  | 'withholds'
  | 'concurrency'
  | 'timeoutMs'
  | 'onExchange'
  | 'signal'
  | 'journal'
>;

/** What a plan bounds beside the draws, each of which brings an allowance of its own. */
export interface WireBounds {
  /** How often requests go out again after a rate limit error, all together. */
  readonly resends: number;
  /** How many different accepted twins are sent. */
  readonly twins: number;
}

export const BOUNDLESS: WireBounds = { resends: Infinity, twins: Infinity };
