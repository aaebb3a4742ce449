import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SoakMock, SoakSample } from './soak-mock.ts';

const MOCK = fileURLToPath(new URL(`./soak-mock${extname(import.meta.url)}`, import.meta.url));

/** The mock of a soak, seen from outside. */
export interface SoakedMock {
  readonly mock: SoakMock;
  /** Rejects if the mock has ended. */
  readonly sample: () => Promise<SoakSample>;
  readonly stop: () => Promise<void>;
}

/** Starts the mock in a process of its own. */
export async function startSoakMock(execArgv: readonly string[] = process.execArgv): Promise<SoakedMock> {
  const child = fork(MOCK, { execArgv: [...execArgv, '--expose-gc'] });
  const mock = await said<SoakMock>(child);
  return { mock, sample: () => sampleOf(child), stop: () => stop(child) };
}

async function sampleOf(child: ChildProcess): Promise<SoakSample> {
  const answer = said<SoakSample>(child);
  if (child.connected) child.send('sample');
  return answer;
}

async function said<T>(child: ChildProcess): Promise<T> {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('the mock has ended');
  const leave = new AbortController();
  const { signal } = leave;
  const ended = once(child, 'exit', { signal }).then(([code, name]) => {
    throw new Error(`the mock has ended: ${code ?? name}`);
  });
  // Whichever does not come is given up.
  ended.catch(() => {});
  const [message]: T[] = await Promise.race([once(child, 'message', { signal }), ended]);
  leave.abort();
  if (message === undefined) throw new Error('the mock said nothing');
  return message;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  await ended;
}
