import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ProofWorld } from './model/proof-world.ts';
import type { ProofRun, RunSize } from './proof-run.ts';

/** One run to make. The world goes by its name: a world cannot be sent to another thread. */
export type ProofJob = Pick<ProofRun, 'world' | 'size' | 'seed'>;

/** Every world at every size, with the seeds from 1 to `seeds`, seed by seed. */
export function proofJobs(
  worlds: readonly ProofWorld[],
  sizes: readonly RunSize[],
  seeds: number,
): readonly ProofJob[] {
  const all = Array.from({ length: seeds }, (_, index) => index + 1);
  return sizes.flatMap((size) =>
    all.flatMap((seed) => worlds.map(({ name }) => ({ world: name, size, seed }))),
  );
}

/** Runs under way at once in each thread: they mostly wait, for the time that a model takes. */
const RUNS_PER_THREAD = 14;

/**
 * Makes all these runs in as many threads as there are processors, and hands over each as it ends. Once aborted, it only
 * finishes those under way. Rejects for a failure of ours.
 */
export async function makeRuns(
  jobs: readonly ProofJob[],
  onEnd: (run: ProofRun) => void,
  signal?: AbortSignal,
  atOnce = RUNS_PER_THREAD * availableParallelism(),
): Promise<void> {
  const queue = jobs.values();
  const take = (): ProofJob | undefined => (signal?.aborted === true ? undefined : queue.next().value);
  const width = Math.min(RUNS_PER_THREAD, atOnce);
  const threads = Math.ceil(Math.min(jobs.length, atOnce) / width);
  await Promise.all(Array.from({ length: threads }, () => runThread(take, onEnd, width)));
}

/** Keeps one thread busy until there is no job to take. */
async function runThread(
  take: () => ProofJob | undefined,
  onEnd: (run: ProofRun) => void,
  width: number,
): Promise<void> {
  const thread = new Worker(new URL('proof-thread.ts', import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let running = 0;
  const next = (): void => {
    const job = take();
    if (job !== undefined) {
      running += 1;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(job);
    } else if (running === 0) resolve();
  };
  thread.on('error', reject).on('message', (run: ProofRun) => {
    running -= 1;
    onEnd(run);
    next();
  });
  for (let slot = 0; slot < width; slot += 1) next();
  try {
    await promise;
  } finally {
    await thread.terminate();
  }
}
