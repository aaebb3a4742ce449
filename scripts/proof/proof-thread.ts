import { parentPort } from 'node:worker_threads';
import type { ProofJob } from './proof-jobs.ts';
import { proveWorld } from './prove-world.ts';
import { WORLDS } from './worlds.ts';

/** Longer than anything but an adversary makes a run wait, and than a busy machine does. */
const TIMEOUT_MS = 20_000;
const ADVERSARY_TIMEOUT_MS = 1500;

// Makes the runs that it is sent, and answers each with what became of it.
parentPort?.on('message', (job: ProofJob) => void prove(job));

async function prove({ world: name, size, seed }: ProofJob): Promise<void> {
  const world = WORLDS.find((each) => each.name === name);
  if (world === undefined) throw new TypeError(`no world is called ${name}`);
  const timeoutMs = world.kind === 'adversary' ? ADVERSARY_TIMEOUT_MS : TIMEOUT_MS;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(await proveWorld({ world, size, seed, timeoutMs }));
}
