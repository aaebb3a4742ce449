import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

/** The compiled command, and the bare server that it is compared with. */
export const MOCK = fileURLToPath(new URL('../chat-conformance.js', import.meta.url));
export const BARE = fileURLToPath(new URL('./bare-server.js', import.meta.url));

export interface ServerProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** Only the mock has keys. */
  readonly keys?: { readonly primary: string };
  readonly stop: () => Promise<void>;
}

/** Runs a Node program whose first line says where it listens. */
export async function startServer(args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ready: Pick<ServerProcess, 'url' | 'keys'> = JSON.parse(await firstLine(child));
  return { ...ready, pid: child.pid, stop: () => stop(child) };
}

/** The primary key of the mock; empty for the bare server, which needs none. */
export function keyOf({ keys }: ServerProcess): string {
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

export interface BenchRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** Sends requests, `width` at a time, and reads every response. Returns the requests per second. */
export async function sendAll(
  origin: string,
  requests: readonly BenchRequest[],
  width: number,
): Promise<number> {
  const pool = new Pool(origin, { connections: width, pipelining: 1 });
  try {
    // The connections are opened before the clock starts.
    await sendEach(pool, requests.slice(0, width), width);
    const start = performance.now();
    await sendEach(pool, requests, width);
    return (requests.length * 1000) / (performance.now() - start);
  } finally {
    await pool.close();
  }
}

async function sendEach(pool: Pool, requests: readonly BenchRequest[], width: number): Promise<void> {
  const queue = requests.values();
  const worker = async (): Promise<void> => {
    for (const { method, path, headers, body } of queue) {
      const response = await pool.request({ method, path, headers, body: body ?? null });
      await response.body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** The middle of an odd number of values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** What was measured of the mock and of the bare server: medians, and the median of the ratios of each round. */
export interface Comparison {
  readonly mock: number;
  readonly bare: number;
  readonly ratio: number;
}

/** Measures the two by turns, the bare server first. */
export async function compare(
  rounds: number,
  measure: Readonly<Record<'bare' | 'mock', () => Promise<number>>>,
): Promise<Comparison> {
  const all: { mock: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    all.push({ bare: await measure.bare(), mock: await measure.mock() });
  return {
    mock: median(all.map(({ mock }) => mock)),
    bare: median(all.map(({ bare }) => bare)),
    ratio: median(all.map(({ mock, bare }) => mock / bare)),
  };
}
