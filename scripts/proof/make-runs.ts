import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ProofJob } from './proof-jobs.ts';
import type { ProofRun } from './prove-world.ts';

/** Runs under way at once in each thread: they wait more than they work, in time that a model takes. */
const AT_ONCE = 14;

/**
 * Makes all of these runs, in as many threads as there are processors, and tells of each as it ends. Once aborted, only
 * those that are under way are finished. Rejects for a failure of ours.
 */
export async function makeRuns(
  jobs: readonly ProofJob[],
  ended: (run: ProofRun) => void,
  signal?: AbortSignal,
): Promise<void> {
  const queue = until(jobs, signal);
  const width = Math.min(availableParallelism(), Math.ceil(jobs.length / AT_ONCE));
  await Promise.all(Array.from({ length: width }, () => drain(queue, ended, AT_ONCE)));
}

/** The same, one run after the other, and nothing beside them: what is told by the clock is told best alone. */
export async function makeRunsAlone(
  jobs: readonly ProofJob[],
  ended: (run: ProofRun) => void,
): Promise<void> {
  if (jobs.length > 0) await drain(jobs[Symbol.iterator](), ended, 1);
}

function* until(jobs: readonly ProofJob[], signal: AbortSignal | undefined): Generator<ProofJob> {
  for (const job of jobs) {
    if (signal?.aborted === true) return;
    yield job;
  }
}

/** One thread, kept busy until nothing is left to do. */
async function drain(
  queue: Iterator<ProofJob>,
  ended: (run: ProofRun) => void,
  atOnce: number,
): Promise<void> {
  const thread = new Worker(new URL('proof-thread.ts', import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let underWay = 0;
  const next = (): void => {
    const { value, done } = queue.next();
    if (done !== true) {
      underWay += 1;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(value);
    } else if (underWay === 0) resolve();
  };
  thread.on('error', reject).on('message', (run: ProofRun) => {
    underWay -= 1;
    ended(run);
    next();
  });
  for (let slot = 0; slot < atOnce; slot += 1) next();
  try {
    await promise;
  } finally {
    await thread.terminate();
  }
}
