import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parentPort as port, Worker, workerData } from 'node:worker_threads';
import pMap from 'p-map';
import type { Job, ProofRun } from './world.ts';
import { worldNamed } from './worlds.ts';

/** What a thread of the proof is started with; other threads are started with something else. */
interface Share {
  readonly jobs: readonly Job[];
  readonly inEach: number;
}

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
    const proof: Share = { jobs: share.map(([, job]) => job), inEach };
    const worker = new Worker(new URL(import.meta.url), { workerData: { proof } });
    worker.on('message', (run: ProofRun) => {
      runs.push(run);
      onEnd?.(run);
    });
    await once(worker, 'exit');
  });
  await Promise.all(ends);
  return runs;
}

const share: Share | undefined = workerData?.proof;
if (share !== undefined)
  await pMap(
    share.jobs,
    async (job) => {
      const run: ProofRun = { ...job, ...(await worldNamed(job.world).run(job.size, job.seed)) };
      port?.postMessage(run);
    },
    { concurrency: share.inEach },
  );
