import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import pMap from 'p-map';
import type { Job, ProofRun, Said } from './proof-run.ts';
import { worldNamed } from './worlds.ts';

/** Where Node keeps what it has compiled: each thread loads the whole product. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };

/** What a run makes is soon garbage: the more of it is collected at once, the less of it has to be copied. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 };

/** A run to make, and where to say what came of it. */
interface Order {
  readonly job: Job;
  readonly port: MessagePort;
}

/** Threads that make runs, until they are closed. */
export class ProofThreads {
  readonly #workers = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL(import.meta.url), { env, resourceLimits, workerData: { proof: true } }),
  );
  readonly #failed = Promise.race(
    this.#workers.map(async (worker) => {
      const [error]: unknown[] = await once(worker, 'error');
      throw error;
    }),
  );

  /** Makes these runs, so many under way at once in each of so many threads. Rejects for a failure of ours. */
  async make(
    jobs: readonly Job[],
    inEach: number,
    onEnd = () => {},
    threads = this.#workers.length,
  ): Promise<readonly ProofRun[]> {
    // Each thread takes the next when it has room.
    const left = jobs.values();
    const makeIn = (worker: Worker): Promise<readonly ProofRun[]> =>
      pMap(
        left,
        async (job) => {
          const run = await made(job, worker);
          onEnd();
          return run;
        },
        { concurrency: inEach },
      );
    const all = Promise.all(this.#workers.slice(0, threads).map(makeIn));
    return (await Promise.race([all, this.#failed])).flat();
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

async function made(job: Job, worker: Worker): Promise<ProofRun> {
  const { port1, port2 } = new MessageChannel();
  const order: Order = { job, port: port2 };
  worker.postMessage(order, [port2]);
  const [said]: Said[] = await once(port1, 'message');
  port1.close();
  if (said === undefined) throw new TypeError(`the run of ${job.world} said nothing`);
  return { ...job, ...said };
}

async function answerOrder({ job, port }: Order): Promise<void> {
  port.postMessage(await worldNamed(job.world).run(job.size, job.seed));
}

// Other threads load this file too, and are started with something else.
if (workerData?.proof === true) parentPort?.on('message', (order: Order) => void answerOrder(order));
