import { type Proof, proofOf } from './proof.ts';
import { ofWholeSeeds, type ProofJob } from './proof-jobs.ts';
import type { CallerProofs } from './prove-callers.ts';
import type { ProofRun } from './prove-world.ts';

/** What was tried before the end, and what was to be. */
export interface Tried {
  readonly jobs: readonly ProofJob[];
  readonly runs: readonly ProofRun[];
  readonly callers: CallerProofs;
  readonly isInterrupted: boolean;
}

/**
 * What may be published: sizes with a seed for which every world was tried, and callers when all of them were. Empty
 * where nothing is whole, so that what was published before stays.
 */
export function wholeProof({ jobs, runs, callers, isInterrupted }: Tried): Proof {
  const isWhole = !isInterrupted && Object.keys(callers).length > 0;
  return { ...proofOf(ofWholeSeeds(runs, jobs)), ...(isWhole && { callers }) };
}
