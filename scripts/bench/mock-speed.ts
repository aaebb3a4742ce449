import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import {
  BARE,
  type BenchRequest,
  compare,
  type Comparison,
  keyOf,
  MOCK,
  sendAll,
  type ServerProcess,
  startServer,
} from './load.ts';

const START_ROUNDS = 9;

/** Milliseconds from the start of the process to the end of its first response. */
export function startUp(): Promise<Comparison> {
  return compare(START_ROUNDS, {
    bare: () => msToFirstResponse([BARE, '500']),
    mock: () => msToFirstResponse([MOCK, 'mock']),
  });
}

async function msToFirstResponse(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const server = await startServer(args);
  const headers = { authorization: `Bearer ${keyOf(server)}` };
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
export async function throughput(stream: boolean): Promise<Comparison> {
  return withWorldFile(CONNECTIONS, async (world) => {
    const mock = await startServer([MOCK, 'mock', '--world', world]);
    const requests = chats(keyOf(mock), stream);
    const { bytes, contentType } = await sampleResponses(mock.url, requests.slice(0, 50));
    const bare = await startServer([BARE, String(bytes), contentType]);
    try {
      return await compare(THROUGHPUT_ROUNDS, {
        bare: () => sendAll(new URL(bare.url).origin, requests, CONNECTIONS),
        mock: () => sendAll(new URL(mock.url).origin, chats(keyOf(mock), stream), CONNECTIONS),
      });
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

let sent = 0;

/** A chat under its own Idempotency-Key, so that none is a repetition. */
function chat(key: string, body: Uint8Array): BenchRequest {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': `bench-${(sent += 1)}`,
  };
  return { method: 'POST', path: '/v1/chat/completions', headers, body };
}

/** Chats of 204 bytes or so. */
function chats(key: string, stream: boolean): readonly BenchRequest[] {
  const messages = [
    { role: 'system', content: 'You answer in one short sentence.' },
    { role: 'user', content: 'What is the capital of France, please?' },
  ];
  const body = Buffer.from(
    JSON.stringify({ model: 'compact-1', messages, max_tokens: 16, ...(stream && { stream }) }),
  );
  return Array.from({ length: REQUESTS }, () => chat(key, body));
}

/** The mean length of the responses, and their content type. */
async function sampleResponses(
  url: string,
  requests: readonly BenchRequest[],
): Promise<{ bytes: number; contentType: string }> {
  let bytes = 0;
  let contentType = '';
  for (const { headers, body } of requests) {
    const response = await request(`${url}/chat/completions`, {
      method: 'POST',
      headers,
      body: body ?? null,
    });
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
export function heldConnections(): Promise<Comparison> {
  return withWorldFile(HELD + HELD_AT_ONCE, (world) =>
    compare(HELD_ROUNDS, {
      bare: () => kilobytesPerConnection([BARE, 'silent', String(WARM_UP)]),
      mock: () =>
        kilobytesPerConnection([MOCK, 'mock', '--world', world, '--fault', `timeout after=${WARM_UP}`]),
    }),
  );
}

const SHORT_CHAT = Buffer.from(
  '{"model":"compact-1","messages":[{"role":"user","content":"Hello"}],"max_tokens":16}',
);

async function kilobytesPerConnection(args: readonly string[]): Promise<number> {
  const server = await startServer(args);
  const sockets: Socket[] = [];
  try {
    const requests = Array.from({ length: WARM_UP - HELD_AT_ONCE }, () => chat(keyOf(server), SHORT_CHAT));
    await sendAll(new URL(server.url).origin, requests, HELD_AT_ONCE);
    const before = memoryOf(server);
    for (let n = 0; n < HELD; n += 1) {
      sockets.push(await sendAlone(server, chat(keyOf(server), SHORT_CHAT)));
      if (n % HELD_AT_ONCE === 0) await sleep(20);
    }
    await sleep(1500);
    return (memoryOf(server) - before) / HELD;
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.stop();
  }
}

/** Sends a request on its own connection, which stays open. */
async function sendAlone(
  { url }: ServerProcess,
  { method, path, headers, body }: BenchRequest,
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const all = { host: hostname, ...headers, 'content-length': String(body?.length ?? 0) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
  socket.write(body ?? '');
  return socket;
}

/** Kilobytes. */
function memoryOf({ pid }: ServerProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}
