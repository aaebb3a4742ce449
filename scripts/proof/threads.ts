import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { RunSize, Said } from './world.ts';

/** One run to make. A world goes by its name: it cannot be sent to another thread. */
export interface Job {
  readonly world: string;
  readonly size: RunSize;
  readonly seed: number;
}

export interface ProofRun extends Job, Said {}

/** Threads that make runs: as many as there are processors, until they are closed. */
export class Threads {
  readonly #threads = Array.from({ length: availableParallelism() }, () => {
    const worker = new Worker(new URL('thread.ts', import.meta.url));
    return { worker, failed: once(worker, 'error').then(([error]) => Promise.reject(error)) };
  });

  /**
   * Makes these runs, so many at a time in each of so many threads, and hands over each as it ends. Once aborted, it only
   * finishes those under way. Rejects for a failure of ours.
   */
  async make(
    jobs: readonly Job[],
    { inEach, threads = Infinity, onEnd, signal }: MakeOptions,
  ): Promise<readonly ProofRun[]> {
    const queue = jobs.values();
    const runs: ProofRun[] = [];
    const slots = this.#threads.slice(0, threads).flatMap(({ worker, failed }) =>
      Array.from({ length: inEach }, async () => {
        for (const job of queue) {
          if (signal?.aborted === true) return;
          runs.push(await Promise.race([madeBy(worker, job), failed]));
          onEnd?.(runs.length);
        }
      }),
    );
    await Promise.all(slots);
    return runs;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }
}

interface MakeOptions {
  readonly inEach: number;
  /** Absent: all. */
  readonly threads?: number;
  readonly onEnd?: (count: number) => void;
  readonly signal?: AbortSignal;
}

async function madeBy(worker: Worker, job: Job): Promise<ProofRun> {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ job, port: port2 }, [port2]);
  const [run]: ProofRun[] = await once(port1, 'message');
  port1.close();
  if (run === undefined) throw new TypeError('a thread answers with a run');
  return run;
}
