import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job, ProofRun } from './world.ts';

interface Threads {
  /** Runs under way at once in each. */
  readonly inEach: number;
  /** Absent: as many as there are processors. */
  readonly threads?: number;
  readonly onEnd?: (run: ProofRun) => void;
}

/** Makes these runs in threads, each of which makes its share. Rejects for a failure of ours. */
export async function makeRuns(
  jobs: readonly Job[],
  { inEach, threads = availableParallelism(), onEnd }: Threads,
): Promise<readonly ProofRun[]> {
  const runs: ProofRun[] = [];
  const shares = Map.groupBy(jobs.entries(), ([index]) => index % threads).values();
  const ends = shares.map(async (share) => {
    const workerData = { jobs: share.map(([, job]) => job), inEach };
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData });
    worker.on('message', (run: ProofRun) => {
      runs.push(run);
      onEnd?.(run);
    });
    await once(worker, 'exit');
  });
  await Promise.all(ends);
  return runs;
}
