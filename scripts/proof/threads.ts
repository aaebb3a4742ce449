import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort as port, Worker, workerData } from 'node:worker_threads';
import pMap from 'p-map';
import type { Job, ProofRun } from './proof-run.ts';
import { worldNamed } from './worlds.ts';

/** What a thread of the proof is started with; other threads are started with something else. */
interface Share {
  readonly jobs: readonly Job[];
  readonly inEach: number;
}

/** Where Node keeps what it has compiled: each thread loads the whole product. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };

/** Makes these runs in threads, so many under way at once in each. Rejects for a failure of ours. */
export async function makeRuns(
  jobs: readonly Job[],
  inEach: number,
  onEnd: () => void = () => {},
  threads = availableParallelism(),
): Promise<readonly ProofRun[]> {
  const runs: ProofRun[] = [];
  const shares = Map.groupBy(jobs.entries(), ([index]) => index % threads).values();
  const ends = shares.map(async (share) => {
    const proof: Share = { jobs: share.map(([, job]) => job), inEach };
    const worker = new Worker(new URL(import.meta.url), { env, workerData: { proof } });
    worker.on('message', (run: ProofRun) => {
      runs.push(run);
      onEnd();
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
    async (job) => port?.postMessage({ ...job, ...(await worldNamed(job.world).run(job.size, job.seed)) }),
    { concurrency: share.inEach },
  );
