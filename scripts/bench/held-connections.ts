import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { median } from './median.ts';
import { type Sent, sendAll } from './send-all.ts';
import { keyOf, serve, type Served } from './serve.ts';

const CONNECTIONS = 10_000;
const AT_ONCE = 250;
const ROUNDS = 3;
/** Requests that are answered first: both have then grown as large as ordinary traffic makes them. */
const WARM_UP = 5000;

const MOCK = fileURLToPath(new URL('../chat-conformance.js', import.meta.url));
const BARE = fileURLToPath(new URL('./bare-server.js', import.meta.url));

export interface HeldConnections {
  /** Kilobytes of memory for each connection on which a request waits for ever, medians. */
  readonly mock: number;
  readonly bare: number;
  readonly ratio: number;
}

/** What 10,000 requests cost that never get an answer, beside a bare server that gives none, in turns. */
export async function heldConnections(): Promise<HeldConnections> {
  const world = join(await mkdtemp(join(tmpdir(), 'bench-')), 'world.json');
  await writeFile(world, JSON.stringify(wideWorld()));
  const mock = [MOCK, 'mock', '--world', world, '--fault', `timeout after=${WARM_UP}`];
  const rounds: { mock: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ bare: await held([BARE, 'silent', String(WARM_UP)]), mock: await held(mock) });
  await rm(dirname(world), { recursive: true });
  return {
    mock: median(rounds.map((round) => round.mock)),
    bare: median(rounds.map((round) => round.bare)),
    ratio: median(rounds.map((round) => round.mock / round.bare)),
  };
}

function wideWorld(): object {
  const concurrency = CONNECTIONS + AT_ONCE;
  return { keys: builtInWorld.keys.map((key) => ({ ...key, concurrency })) };
}

async function held(args: readonly string[]): Promise<number> {
  const served = await serve(args);
  const sockets: Socket[] = [];
  try {
    const requests = Array.from({ length: WARM_UP - AT_ONCE }, (_, n) => chat(served, n));
    await sendAll(new URL(served.url).origin, requests, AT_ONCE);
    const before = kilobytes(served);
    for (let n = 0; n < CONNECTIONS; n += 1) {
      sockets.push(await send(served, chat(served, WARM_UP + n)));
      if (n % AT_ONCE === 0) await sleep(20);
    }
    await sleep(1500);
    return (kilobytes(served) - before) / CONNECTIONS;
  } finally {
    for (const socket of sockets) socket.destroy();
    await served.stop();
  }
}

const BODY = Buffer.from(
  '{"model":"compact-1","messages":[{"role":"user","content":"Hello"}],"max_tokens":16}',
);

function chat(served: Served, n: number): Sent {
  const headers = {
    authorization: `Bearer ${keyOf(served)}`,
    'content-type': 'application/json',
    'idempotency-key': `held-${n}`,
  };
  return { method: 'POST', path: '/v1/chat/completions', headers, body: BODY };
}

/** On a connection of its own, which is left alone. */
async function send({ url }: Served, { method, path, headers, body }: Sent): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const all = { host: hostname, ...headers, 'content-length': String(body?.length ?? 0) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
  socket.write(body ?? '');
  return socket;
}

function kilobytes({ pid }: Served): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}
