import { type MessagePort, parentPort } from 'node:worker_threads';
import type { Job, ProofRun } from './threads.ts';
import { worldNamed } from './worlds.ts';

// Makes each run that it is sent, and answers with what it said.
parentPort?.on('message', (asked: { job: Job; port: MessagePort }) => void answer(asked));

async function answer({ job, port }: { job: Job; port: MessagePort }): Promise<void> {
  const run: ProofRun = { ...job, ...(await worldNamed(job.world).run(job.size, job.seed)) };
  port.postMessage(run);
}
