import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server in a process of its own. */
export interface Served {
  readonly url: string;
  readonly pid: number | undefined;
  /** Of the mock; a bare server has none. */
  readonly keys?: { readonly primary: string };
  readonly stop: () => Promise<void>;
}

/** Runs a Node program whose first line says where it listens. */
export async function serve(args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ready: Pick<Served, 'url' | 'keys'> = JSON.parse(await firstLine(child));
  return { ...ready, pid: child.pid, stop: () => stop(child) };
}

/** The primary key of the mock; none for a bare server, which asks for none. */
export function keyOf({ keys }: Served): string {
  return keys?.primary ?? '';
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('started without a pipe');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`${child.spawnargs.join(' ')} ended before it was ready`);
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
