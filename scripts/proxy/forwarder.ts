import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ENDPOINTS, HEADERS, LONGEST_PATH } from '../../fixtures/chats/wire.ts';
import {
  isForeignHost,
  isLoopback,
  isLoopbackOrigin,
  isOfOtherPage,
} from '../../mock-server/protocol/loopback.ts';
import { type Address, addressOf, type Network } from '../../suites/kit/model/network.ts';
import { ConnectionPool, type Patience } from '../../suites/kit/network/connection-pool.ts';
import { routeTo } from '../../suites/kit/network/route.ts';
import { headerIn, passedHeaders, type RawHeaders } from './hop-by-hop.ts';
import { passedBody, Relay } from './relay.ts';
import { BodyRoom, KeptBody, MOST_KEPT } from './relayed-exchange.ts';
import type { RelayedExchange, RelayWatcher } from './relayed-exchange.ts';

/** No time limit: the caller and the target have theirs. */
const UNLIMITED = 0;
export const PATIENCE: Patience = { connectMs: 30_000, answerMs: UNLIMITED };

/** Where a request is sent on, and what is changed for that. */
export interface Destination {
  readonly connections: ConnectionPool;
  /** Absent: as it came. */
  readonly path?: string;
  /** In place of those of these names. */
  readonly headers: RawHeaders;
}

/** Callers may send longer heads than Node reads by default; the target decides. */
const MOST_HEAD_BYTES = 256 * 1024;

export interface ForwarderOptions {
  /** The base URL of the service. */
  readonly target: string;
  readonly network?: Network | undefined;
  readonly host: string;
  readonly port: number;
  readonly watcher: RelayWatcher;
  /** Where the chat with this body is answered in place of the target; undefined: the target answers it. */
  readonly recorded?: ((body: Uint8Array) => Promise<Destination | undefined>) | undefined;
  /** Answers what is for the proxy itself; returns false for everything else. */
  readonly control?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Forwarder {
  /** What stands in place of the target's base URL. */
  readonly baseUrl: string;
  readonly origin: string;
  /** Ends every connection. */
  readonly close: () => Promise<void>;
}

/** Listens, and passes every request on to the target. */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const address = addressOf(options.target);
  const forwarding = new Forwarding(address, options);
  const server = createServer({ maxHeaderSize: MOST_HEAD_BYTES, keepAlive: true, noDelay: true });
  Object.assign(server, {
    requestTimeout: UNLIMITED,
    headersTimeout: UNLIMITED,
    timeout: UNLIMITED,
    keepAliveTimeout: UNLIMITED,
    maxRequestsPerSocket: UNLIMITED,
  });
  server.on('request', (request, response) => {
    const refusal = refusalOf(request, isLoopback(options.host));
    if (refusal !== undefined) refuse(response, refusal);
    else if (options.control?.(request, response) !== true) forwarding.pass(request, response);
  });
  await listening(server, options);
  const origin = originOf(server, options.host);
  return {
    origin,
    baseUrl: origin + address.path,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await forwarding.close();
    },
  };
}

type Refusal = readonly [status: number, reason: string];

/** `isLocal`: the proxy listens on a loopback address. */
function refusalOf({ url = '', headers }: IncomingMessage, isLocal: boolean): Refusal | undefined {
  if (url.length > LONGEST_PATH)
    return [414, `the proxy passes on no path of more than ${LONGEST_PATH} characters`];
  // Behind the target's origin, anything else could name another host.
  if (!url.startsWith('/')) return [400, 'the proxy passes on no request target that does not begin with /'];
  if (!isLocal) return undefined;
  if (isForeignHost(headers.host))
    return [
      403,
      'the proxy is asked by a loopback address or as localhost: the Host header names another machine',
    ];
  return isOfOtherPage(headers, isLoopbackOrigin)
    ? [403, 'the proxy passes on nothing for web pages from elsewhere']
    : undefined;
}

function refuse(response: ServerResponse, [status, reason]: Refusal): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${reason}\n`);
}

function listening(server: Server, { port, host }: ForwarderOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

function originOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

class Forwarding {
  readonly #target: Destination;
  readonly #chats: string;
  readonly #recorded: ForwarderOptions['recorded'];
  readonly #watcher: RelayWatcher;
  readonly #room = new BodyRoom();
  #count = 0;

  constructor(address: Address, { network = {}, recorded, watcher }: ForwarderOptions) {
    const route = routeTo(address, network);
    const connections = new ConnectionPool(route, network, PATIENCE);
    this.#target = { connections, headers: ['host', route.origin.host] };
    this.#chats = address.path + ENDPOINTS.chat;
    this.#recorded = recorded;
    this.#watcher = watcher;
  }

  pass(request: IncomingMessage, response: ServerResponse): void {
    const relayed = this.#arrived(request);
    const relay = new Relay(relayed, response, this.#room, this.#watcher);
    const length = bodyLength(request);
    const body = length === 0 ? null : passedBody(request, relayed.body);
    if (body !== null && this.#mayBeRecorded(relayed, length)) void this.#passWhole(relayed, relay, body);
    else dispatch(relayed, relay, this.#target, body, length);
  }

  /** Longer chats are in no recording; without a key, the target says what it says. */
  #mayBeRecorded({ method, url, rawHeaders }: RelayedExchange, length: number): boolean {
    const isChat = method === 'POST' && url === this.#chats && length <= MOST_KEPT;
    return (
      this.#recorded !== undefined && isChat && headerIn(rawHeaders, HEADERS.authorization) !== undefined
    );
  }

  /** Once its body is there. Rejects never: a caller that leaves before that is noticed by its connection. */
  async #passWhole(relayed: RelayedExchange, relay: Relay, pieces: Readable): Promise<void> {
    const body = await buffer(pieces).catch(() => undefined);
    if (body === undefined) return;
    const recorded = await this.#recorded?.(body).catch(() => undefined);
    relayed.isRepeat = recorded !== undefined;
    dispatch(relayed, relay, recorded ?? this.#target, body, body.length);
  }

  #arrived({ method = '', url = '', rawHeaders }: IncomingMessage): RelayedExchange {
    const arrivedAt = performance.now();
    this.#count += 1;
    const relayed: RelayedExchange = {
      n: this.#count,
      at: new Date().toISOString(),
      arrivedAt,
      method,
      url,
      rawHeaders,
      body: new KeptBody(this.#room, arrivedAt),
      answer: undefined,
      end: undefined,
      endedAt: undefined,
      isRepeat: false,
    };
    this.#watcher.arrived(relayed);
    return relayed;
  }

  close(): Promise<void> {
    return this.#target.connections.close();
  }
}

function dispatch(
  { method, url, rawHeaders }: RelayedExchange,
  relay: Relay,
  { connections, path = url, headers: own }: Destination,
  body: Readable | Buffer | null,
  length: number,
): void {
  const replaced = own.filter((_, index) => index % 2 === 0);
  const headers = [...own, ...passedHeaders(rawHeaders, 'expect', ...replaced)];
  try {
    connections.dispatch({ method, path, headers, body }, length, relay);
  } catch (error) {
    relay.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)));
  }
}

/** Infinity where only its end will tell. */
function bodyLength({ rawHeaders }: IncomingMessage): number {
  if (headerIn(rawHeaders, 'transfer-encoding') !== undefined) return Infinity;
  return Number(headerIn(rawHeaders, 'content-length') ?? 0);
}
