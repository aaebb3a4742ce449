import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, request } from 'undici';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import {
  BARE,
  type BenchRequest,
  chats,
  compare,
  type Measured,
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
const REQUESTS = 20_000;
const THROUGHPUT_ROUNDS = 7;

/** Completions per second; the bare server answers with as many bytes. */
export async function throughput(stream: boolean): Promise<Measured> {
  return withWorldFile(CONNECTIONS, async (world) => {
    const mock = await startServer([MOCK, 'mock', '--world', world]);
    const requests = chats(mock, REQUESTS, stream);
    const { bytes, contentType } = await sampleResponses(mock.url, requests.slice(0, 50));
    const bare = await startServer([BARE, String(bytes), contentType]);
    try {
      return await compare(THROUGHPUT_ROUNDS, async () => ({
        bare: await sendAll(bare, requests, CONNECTIONS),
        mock: await sendAll(mock, chats(mock, REQUESTS, stream), CONNECTIONS),
      }));
    } finally {
      await Promise.all([mock.stop(), bare.stop()]);
    }
  });
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
