import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { knownFailures } from '../files/apply-baseline.ts';
import type { Check } from '../model/check.ts';
import type { Caps, KnownFailures, RunOptions, Target } from '../model/run.ts';
import { Wire } from '../sending/wire.ts';

/** A request that has arrived, and which of all it is, from 1. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly body: string;
  readonly nth: number;
}

/** When a service ends: with its test, unless it is one of a whole file (`afterAll`). */
type Ends = (end: () => Promise<void>) => void;

/** A small real service. */
export async function serve(answer: (arrival: Arrival, response: ServerResponse) => unknown, ends?: Ends) {
  const arrived: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrival = { request, body: Buffer.concat(chunks).toString(), nth: arrived.length + 1 };
      arrived.push(arrival);
      answer(arrival, response);
    });
  });
  const origin = await listening(server, ends);
  return { server, origin, baseUrl: `${origin}/v1`, arrived };
}

/** The same below HTTP: every connection is handed over. Returns its origin. */
export async function serveSockets(take: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    socket.on('error', () => {});
    take(socket);
  });
  return listening(server);
}

/** Lets a server listen on a free port of this machine until the end. Returns its origin, as of HTTP. */
export async function listening(server: RawServer, ends: Ends = onTestFinished): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends(async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return `http://127.0.0.1:${portOf(server)}`;
}

export function portOf(server: RawServer): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server listens at no port');
  return address.port;
}

/** A wire to a base URL without caps, until the end of its test. */
export function openWire(
  baseUrl: string,
  { target = {}, caps = {}, concurrency = 1 }: OpenedWire = {},
): Wire {
  const wire = new Wire({
    target: { baseUrl, kind: 'live', keys: { primary: 'sk-x' }, profile: {}, headers: {}, ...target },
    caps: { requests: Infinity, completions: Infinity, outputTokens: 64, ...caps },
    concurrency,
    timeoutMs: 5000,
  });
  onTestFinished(() => wire.close());
  return wire;
}

interface OpenedWire {
  readonly target?: Partial<Target>;
  readonly caps?: Partial<Caps>;
  readonly concurrency?: number;
}

/** A run of these checks against a base URL, one request at a time. */
export function runOptions(
  baseUrl: string,
  checks: readonly Check[],
  more: Partial<RunOptions> = {},
): RunOptions {
  return {
    target: { baseUrl, kind: 'live', keys: { primary: 'sk-test' }, profile: {}, headers: {} },
    checks,
    invariants: [],
    seed: 1,
    runs: 'few',
    concurrency: 1,
    timeoutMs: 5000,
    caps: { requests: 300, completions: 80, outputTokens: 16 },
    allow: new Set(),
    ...more,
  };
}

/** A baseline of these checks. */
export function knownToFail(...ids: readonly string[]): KnownFailures {
  return knownFailures(
    ids.map((check) => ({ check, reason: 'known' })),
    '2026-01-01',
  );
}
