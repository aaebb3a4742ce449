import type { ProofRun } from './prove-world.ts';
import type { ProvedWorld } from './proved-world.ts';
import { isMeant } from './seeds-meant.ts';
import type { Size } from './size.ts';

/** One run that is to be made: by name, since a world cannot be handed to another thread. */
export interface ProofJob {
  readonly world: string;
  readonly size: Size;
  readonly seed: number;
}

/** Every world at every one of these sizes, over seeds from 1 on, as far as it is to be tried with them, seed by seed. */
export function proofJobs(
  worlds: readonly ProvedWorld[],
  sizes: readonly Size[],
  seeds: number,
): readonly ProofJob[] {
  const numbers = Array.from({ length: seeds }, (_, index) => index + 1);
  return sizes.flatMap((size) =>
    numbers.flatMap((seed) =>
      worlds.filter((world) => isMeant(world, size, seed)).map(({ name }) => ({ world: name, size, seed })),
    ),
  );
}

/** Of runs that were interrupted, those of the seeds for which every world was tried. */
export function ofWholeSeeds(runs: readonly ProofRun[], jobs: readonly ProofJob[]): readonly ProofRun[] {
  const missing = new Map<string, number>();
  const count = ({ size, seed }: ProofJob, by: number): void => {
    const key = `${size} ${seed}`;
    missing.set(key, (missing.get(key) ?? 0) + by);
  };
  for (const job of jobs) count(job, 1);
  for (const run of runs) count(run, -1);
  return runs.filter(({ size, seed }) => missing.get(`${size} ${seed}`) === 0);
}
