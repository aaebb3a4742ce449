import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Keys } from '../../suites/engine/model/run.ts';

/** The command and the library as they are built, and what they are compared with. */
export const COMMAND = fileURLToPath(new URL('../../dist/chat-conformance.js', import.meta.url));
export const LIBRARY = new URL('../../dist/index.js', import.meta.url).href;
export const BARE = fileURLToPath(new URL('bare.mjs', import.meta.url));

export interface Program {
  readonly url: string;
  readonly pid: number | undefined;
  /** Only the mock has keys. */
  readonly keys: Keys;
  readonly stop: () => Promise<void>;
}

const stops: (() => Promise<void>)[] = [];

/** Ends the programs that the bench has left, the latest first. */
export async function endAll(): Promise<void> {
  for (const stop of stops.splice(0).toReversed()) await stop();
}

/** Runs a Node program whose first line says where it listens. */
export async function start(...args: readonly string[]): Promise<Program> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  stops.push(stop);
  for await (const line of createInterface({ input: child.stdout }))
    return { keys: { primary: '' }, pid: child.pid, ...JSON.parse(line), stop };
  throw new Error(`${child.spawnargs.join(' ')} ended before it was ready`);
}

/** The seconds of CPU that the threads of a program have used so far. Linux alone. */
export function cpuSeconds({ pid }: Program): number {
  const nanosecondsOf = (thread: string): number =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + nanosecondsOf(thread) / 1e9, 0);
}

export function kilobytes({ pid }: Program): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}
