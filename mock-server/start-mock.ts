import type { Server } from 'node:http';

import { builtInWorld } from './built-in-world.ts';
import { Connections } from './connections.ts';
import { createHttpServer } from './create-http-server.ts';
import type { Ledger } from './ledger.ts';
import type { Strike } from './phase.ts';
import { createService, type Service } from './service.ts';
import type { World } from './world.ts';
import { worldProblems } from './world-problems.ts';

export interface MockOptions {
  /** 0, the default: any free one. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** The built-in world by default. */
  readonly world?: World;
  /** Equal seeds draw equal texts and IDs; 1 by default. */
  readonly seed?: number;
  /** Milliseconds added to every completion. */
  readonly latency?: number;
  /** Milliseconds added for every token of the output. */
  readonly latencyPerToken?: number;
  /** Gets one line for each unexpected failure. */
  readonly log?: (line: string) => void;
  /** Also a line for each answer. */
  readonly logAnswers?: boolean;
  /** Called at each phase of each completion. */
  readonly strike?: Strike;
}

/** A running mock. */
export interface Mock {
  /** The base URL, which ends in /v1 (CALL-7). */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly seed: number;
  /** The bearer keys by their names in the world. */
  readonly keys: Readonly<Record<string, string>>;
  readonly world: World;
  readonly ledger: Pick<Ledger, 'account' | 'entries' | 'invariants'>;
  /** Takes no more requests, lets those in flight end, within the world's `drainMs`, and closes. */
  close(): Promise<void>;
}

/**
 * Starts the whole service on a port of its own; many can run in one process, and share nothing. Resolves once the
 * socket listens. Rejects for a world that contradicts itself, or with Node's error for a port that is not to be had.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { host = '127.0.0.1', port = 0 } = options;
  const service = createMockService(options);
  const connections = new Connections();
  const server = createHttpServer(service, connections);
  const bound = await listen(server, port, host);
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  return {
    url: `${origin}/v1`,
    origin,
    port: bound,
    seed: service.seed,
    keys: Object.fromEntries(service.world.keys.map(({ name, key }) => [name, key])),
    world: service.world,
    ledger: service.ledger,
    close: () => close(server, service, connections),
  };
}

function createMockService(options: MockOptions): Service {
  const { world = builtInWorld, seed = 1, latency = 0, latencyPerToken = 0, log = () => {} } = options;
  const [problem] = worldProblems(world);
  if (problem !== undefined)
    throw new Error(`The world contradicts itself at ${problem.pointer}: ${problem.message}`);
  return createService({
    world,
    seed,
    latency: { perCompletion: latency, perToken: latencyPerToken },
    log,
    logAnswers: options.logAnswers === true,
    strike: options.strike,
  });
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function close(server: Server, service: Service, connections: Connections): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // A second call finds the server closed, which is what it wants.
  server.close(() => resolve());
  connections.drain();
  const deadline = setTimeout(() => {
    service.delays.flush();
    server.closeAllConnections();
  }, service.world.limits.drainMs);
  await promise;
  clearTimeout(deadline);
  service.delays.flush();
}
