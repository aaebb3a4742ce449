import { parentPort } from 'node:worker_threads';
import type { ProofJob } from './proof-jobs.ts';
import { runAgainst } from './proof-run.ts';
import { worldNamed } from './worlds.ts';

// Makes each run that it is sent, and answers with the result.
parentPort?.on('message', (job: ProofJob) => void make(job));

async function make({ world, size, seed }: ProofJob): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(await runAgainst(worldNamed(world), size, seed));
}
