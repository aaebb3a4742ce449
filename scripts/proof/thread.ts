import { parentPort as port, workerData } from 'node:worker_threads';
import pMap from 'p-map';
import type { Job, ProofRun } from './world.ts';
import { worldNamed } from './worlds.ts';

// Makes the runs that it is started with, and posts what each said.
const { jobs, inEach: concurrency }: { jobs: readonly Job[]; inEach: number } = workerData;

async function make(job: Job): Promise<void> {
  const run: ProofRun = { ...job, ...(await worldNamed(job.world).run(job.size, job.seed)) };
  port?.postMessage(run);
}

await pMap(jobs, make, { concurrency });
