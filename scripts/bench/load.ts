import { type ChildProcess, spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { Pool } from 'undici';
import type { Keys } from '../../suites/kit/model/run.ts';

/** The built command, and what it is compared with. */
export const MOCK = fileURLToPath(new URL('../../dist/chat-conformance.js', import.meta.url));
export const BARE = built('bare-server');
export const BARE_PROXY = built('bare-proxy');

/** A program beside this file, built as the command is. */
function built(name: string): string {
  const source = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const outfile = join(dirname(MOCK), 'bench', `${name}.js`);
  buildSync({
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  });
  return outfile;
}

export interface ServerProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** Only the mock has keys. */
  readonly keys: Keys;
  readonly stop: () => Promise<void>;
}

type Ready = Pick<ServerProcess, 'url'> & Partial<Pick<ServerProcess, 'keys'>>;

/** Runs a Node program whose first line says where it listens. */
export async function startServer(args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const { url, keys = { primary: '' } }: Ready = JSON.parse(await firstLine(child));
  return { url, keys, pid: child.pid, stop: () => stop(child) };
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

let sent = 0;

/** Chats of 204 bytes or so, each under its own Idempotency-Key, so that none is a repetition. */
export function chats(
  { keys }: Pick<ServerProcess, 'keys'>,
  length: number,
  stream = false,
): readonly BenchRequest[] {
  const messages = [
    { role: 'system', content: 'You answer in one short sentence.' },
    { role: 'user', content: 'What is the capital of France, please?' },
  ];
  const chat = { model: 'compact-1', messages, max_tokens: 16, ...(stream && { stream }) };
  const body = Buffer.from(JSON.stringify(chat));
  const common = { authorization: `Bearer ${keys.primary}`, 'content-type': 'application/json' };
  return Array.from({ length }, () => {
    const headers = { ...common, 'idempotency-key': `bench-${(sent += 1)}` };
    return { method: 'POST', path: '/v1/chat/completions', headers, body };
  });
}

/** Sends requests, `width` at a time, and reads every response. Returns the requests per second. */
export async function sendAll(
  { url }: ServerProcess,
  requests: readonly BenchRequest[],
  width: number,
): Promise<number> {
  const pool = new Pool(new URL(url).origin, { connections: width, pipelining: 1 });
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

/** What was measured of the mock and of the bare server: medians, and the median of the ratios of each round. */
export interface Measured {
  readonly mock: number;
  readonly bare: number;
  readonly ratio: number;
}

type Pair = Omit<Measured, 'ratio'>;

/** Measures the two in as many rounds, an odd number. */
export async function compare(rounds: number, measure: (round: number) => Promise<Pair>): Promise<Measured> {
  const all: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measure(round));
  return measured(all);
}

/** The medians of an odd number of rounds. */
export function measured(rounds: readonly Pair[]): Measured {
  const all = rounds.map(({ mock, bare }) => ({ mock, bare, ratio: mock / bare }));
  const median = (name: keyof Measured): number =>
    all.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
  return { mock: median('mock'), bare: median('bare'), ratio: median('ratio') };
}

/** Clock ticks a second in the accounts of the kernel. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The seconds of CPU, user and system, that a process has used so far, by the kernel's accounts. Linux alone. */
export function cpuSeconds(pid: number | undefined): number {
  // The name of the program stands in brackets, and may hold any character.
  const [, fields = ''] = /^.*\)(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
  const [, , , , , , , , , , , , user, system] = fields.split(' ');
  return (Number(user) + Number(system)) / TICKS;
}
