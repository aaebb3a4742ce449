import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { isSecretVariable } from '../../../fixtures/credentials/secret-names.ts';
import type { Keys } from '../../../suites/engine/model/run.ts';
import { ownModule } from '../terminal/own-package.ts';

/** A mock in a thread of its own, which ends with this process. */
export interface EmbeddedMock {
  readonly baseUrl: string;
  readonly keys: Keys;
  /** Its control URL; it wants no token. */
  readonly control: string;
  readonly stop: () => Promise<unknown>;
}

/** Starts the mock, and returns once it has said that it is ready. */
export async function startEmbeddedMock(seed: number): Promise<EmbeddedMock> {
  // It has no use for the keys of a target, and would want its control token too.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSecretVariable(name)));
  const argv = ['mock', '--port', '0', '--seed', String(seed), '--control'];
  const worker = new Worker(ownModule('chat-conformance'), { argv, env, stdout: true, stderr: true });
  const { value: line } = await createInterface(worker.stdout)[Symbol.asyncIterator]().next();
  if (line === undefined) throw new Error(`the mock is not ready: ${await text(worker.stderr)}`);
  const { url, keys, control }: { url: string; keys: Keys; control: string } = JSON.parse(line);
  return { baseUrl: url, keys, control, stop: () => worker.terminate() };
}
