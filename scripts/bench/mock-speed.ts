import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, request } from 'undici';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import {
  cpuSeconds,
  BARE,
  type BenchRequest,
  chats,
  compare,
  type Measured,
  measured,
  MOCK,
  sendAll,
  type ServerProcess,
  startServer,
} from './load.ts';

const START_ROUNDS = 9;

/** Milliseconds from the start of the process to the end of its first response. */
export function startUp(): Promise<Measured> {
  return compare(START_ROUNDS, async () => ({
    bare: await msToFirstResponse([BARE, '500']),
    mock: await msToFirstResponse([MOCK, 'mock']),
  }));
}

async function msToFirstResponse(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const server = await startServer(args);
  const headers = { authorization: `Bearer ${server.keys.primary}` };
  const response = await request(`${server.url}/models`, { headers, reset: true });
  await response.body.arrayBuffer();
  const ms = performance.now() - start;
  await server.stop();
  return ms;
}

const CONNECTIONS = 64;
const REQUESTS = 40_000;
const LOAD_ROUNDS = 5;

/** What completions cost the mock and the bare server, which answers with as many bytes. */
export interface LoadMeasured {
  /** Completions for each second of CPU that the server used: what a request costs, whoever waits for whom. */
  readonly ofCpu: Measured;
  /** Completions a second, as they came. */
  readonly ofTime: Measured;
  /** How much of one core the server used meanwhile. */
  readonly busy: Measured;
  /** Completions a second that this process could have sent with a whole core. */
  readonly generator: number;
}

export async function underLoad(stream: boolean): Promise<LoadMeasured> {
  return withWorldFile(CONNECTIONS, async (world) => {
    const mock = await startServer([MOCK, 'mock', '--world', world]);
    const { bytes, contentType } = await sampleResponses(mock.url, chats(mock, 50, stream));
    const bare = await startServer([BARE, String(bytes), contentType]);
    const measure = () => inTurns(bare, mock, (server) => measureLoad(server, chats(mock, REQUESTS, stream)));
    try {
      await measure();
      const rounds: Awaited<ReturnType<typeof measure>>[] = [];
      while (rounds.length < LOAD_ROUNDS) rounds.push(await measure());
      return medians(rounds);
    } finally {
      await Promise.all([mock.stop(), bare.stop()]);
    }
  });
}

type Load = Awaited<ReturnType<typeof measureLoad>>;

async function measureLoad(server: ServerProcess, requests: readonly BenchRequest[]) {
  const [before, own] = [cpuSeconds(server.pid), cpuSeconds(process.pid)];
  const ofTime = await sendAll(server, requests, CONNECTIONS);
  const used = cpuSeconds(server.pid) - before;
  return {
    ofTime,
    ofCpu: requests.length / used,
    busy: (used * ofTime) / requests.length,
    generator: requests.length / (cpuSeconds(process.pid) - own),
  };
}

async function inTurns<T>(
  bare: ServerProcess,
  mock: ServerProcess,
  measure: (server: ServerProcess) => Promise<T>,
): Promise<{ readonly bare: T; readonly mock: T }> {
  return { bare: await measure(bare), mock: await measure(mock) };
}

function medians(rounds: readonly { readonly bare: Load; readonly mock: Load }[]): LoadMeasured {
  const of = (name: keyof Load): Measured =>
    measured(rounds.map(({ bare, mock }) => ({ bare: bare[name], mock: mock[name] })));
  return { ofCpu: of('ofCpu'), ofTime: of('ofTime'), busy: of('busy'), generator: of('generator').bare };
}

/** The built-in world, with room for so many requests at once. */
async function withWorldFile<T>(concurrency: number, use: (file: string) => Promise<T>): Promise<T> {
  const file = join(await mkdtemp(join(tmpdir(), 'bench-')), 'world.json');
  await writeFile(file, JSON.stringify({ keys: builtInWorld.keys.map((key) => ({ ...key, concurrency })) }));
  try {
    return await use(file);
  } finally {
    await rm(dirname(file), { recursive: true });
  }
}

/** The mean length of the responses, and their content type. */
async function sampleResponses(
  url: string,
  requests: readonly BenchRequest[],
): Promise<{ bytes: number; contentType: string }> {
  let bytes = 0;
  let contentType = '';
  for (const { headers, body } of requests) {
    const options = { method: 'POST', headers, body: body ?? null } as const;
    const response = await request(`${url}/chat/completions`, options);
    if (response.statusCode !== 200) throw new Error(`the mock answered with ${response.statusCode}`);
    bytes += (await response.body.arrayBuffer()).byteLength;
    contentType = String(response.headers['content-type']);
  }
  return { bytes: Math.round(bytes / requests.length), contentType };
}

const HELD = 10_000;
const HELD_AT_ONCE = 250;
const HELD_ROUNDS = 3;
/** Requests that are answered first: both servers have then grown as large as ordinary traffic makes them. */
const WARM_UP = 5000;

/** Kilobytes of memory for each of 10,000 connections on which a request waits forever. */
export function heldConnections(): Promise<Measured> {
  return withWorldFile(HELD + HELD_AT_ONCE, (world) =>
    compare(HELD_ROUNDS, async () => ({
      bare: await kilobytesPerConnection([BARE, 'silent', `${WARM_UP}`]),
      mock: await kilobytesPerConnection([
        MOCK,
        'mock',
        `--world=${world}`,
        `--fault=timeout after=${WARM_UP}`,
      ]),
    })),
  );
}

async function kilobytesPerConnection(args: readonly string[]): Promise<number> {
  const server = await startServer(args);
  const origin = new URL(server.url).origin;
  const clients: Client[] = [];
  try {
    await sendAll(server, chats(server, WARM_UP - HELD_AT_ONCE), HELD_AT_ONCE);
    const before = memoryOf(server);
    for (const [index, each] of chats(server, HELD).entries()) {
      const client = new Client(origin);
      clients.push(client);
      // Never answered: it ends with its connection.
      client.request({ ...each, body: each.body ?? null }).catch(() => {});
      await once(client, 'connect');
      if (index % HELD_AT_ONCE === 0) await sleep(20);
    }
    await sleep(1500);
    return (memoryOf(server) - before) / HELD;
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
    await server.stop();
  }
}

/** Kilobytes. */
function memoryOf({ pid }: ServerProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}
