import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ENDPOINTS, HEADERS } from '../../fixtures/chats/wire.ts';
import {
  isForeignHost,
  isLoopback,
  isLoopbackOrigin,
  isOfOtherPage,
} from '../../mock-server/protocol/loopback.ts';
import { addressOf, type Network } from '../../suites/engine/model/network.ts';
import { ConnectionPool, type Patience } from '../../suites/engine/network/connection-pool.ts';
import { routeTo } from '../../suites/engine/network/route.ts';
import { headerIn, passedHeaders, Relay } from './relay.ts';
import { BodyCopy, type CopyRoom, MOST_KEPT, type RawHeaders } from './relayed-exchange.ts';
import type { RelayedExchange, RelayedRequest } from './relayed-exchange.ts';

/** No time limit: the caller and the target have theirs. */
const UNLIMITED = 0;
export const PATIENCE: Patience = { connectMs: 30_000, answerMs: UNLIMITED };

/** Callers may send longer heads than Node reads by default; the target decides. */
const MOST_HEAD_BYTES = 256 * 1024;

/** What copies of bodies may take until they are recorded. */
const COPY_BYTES = 32 * 1024 * 1024;

/** Where a request is sent on, and what is changed for that. */
export interface Destination {
  readonly connections: ConnectionPool;
  /** Absent: as it came. */
  readonly path?: string;
  /** In place of those of these names. */
  readonly headers: RawHeaders;
}

export interface ForwarderOptions {
  /** The base URL of the service. */
  readonly target: string;
  readonly network?: Network | undefined;
  readonly host: string;
  readonly port: number;
  /** Is told of every exchange that has ended, and releases its copies. */
  readonly ended: (relayed: RelayedExchange) => void;
  /** What answers the chat with this body in place of the target; undefined: the target does. */
  readonly recorded?: ((body: Uint8Array) => Promise<Destination | undefined>) | undefined;
}

export interface Forwarder {
  /** What callers use in place of the target's base URL. */
  readonly baseUrl: string;
  /** Ends every connection. */
  readonly close: () => Promise<void>;
}

/** Listens, and passes every request on to the target. */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const { target, network = {}, host, port } = options;
  const address = addressOf(target);
  const route = routeTo(address, network);
  const connections = new ConnectionPool(route, network, PATIENCE);
  const pass = passing(options, { connections, headers: ['host', route.origin.host] });
  const server = createServer({ maxHeaderSize: MOST_HEAD_BYTES, requestTimeout: UNLIMITED });
  Object.assign(server, { headersTimeout: UNLIMITED, keepAliveTimeout: UNLIMITED });
  server.on('request', (request, response) => {
    const refusal = refusalOf(request, isLoopback(host));
    if (refusal === undefined) void pass(request, response);
    else response.writeHead(refusal.status, { 'content-type': 'text/plain' }).end(`${refusal.reason}\n`);
  });
  const origin = await listening(server, port, host);
  return {
    baseUrl: origin + address.path,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await connections.close();
    },
  };
}

/** `isLocal`: the proxy listens on a loopback address, which any page in a browser of this machine reaches. */
function refusalOf({ url = '', headers }: IncomingMessage, isLocal: boolean) {
  // After the target's origin, anything else could name another host.
  if (!url.startsWith('/'))
    return { status: 400, reason: 'the proxy passes on only paths that begin with /' };
  if (isLocal && (isForeignHost(headers.host) || isOfOtherPage(headers, isLoopbackOrigin)))
    return { status: 403, reason: 'the proxy passes on nothing for other hosts and for their web pages' };
  return undefined;
}

/** Returns the origin at which it listens. */
async function listening(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' ? address?.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

/** Passes one request on, and its answer back. */
function passing({ target, ended, recorded }: ForwarderOptions, toTarget: Destination) {
  const chats = addressOf(target).path + ENDPOINTS.chat;
  const room = { free: COPY_BYTES };
  let count = 0;
  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    count += 1;
    const request = arrived(message, count, room);
    const length = bodyLength(request);
    const pieces = length === 0 ? null : Readable.from(copied(message, request), { objectMode: false });
    const mayBeRecorded = recorded !== undefined && isRecordable(request, chats, length);
    const whole = pieces !== null && mayBeRecorded ? await buffer(pieces).catch(() => undefined) : pieces;
    const repeat = whole instanceof Uint8Array ? await recorded?.(whole).catch(() => undefined) : undefined;
    // The caller left before anything was sent on.
    if (whole === undefined || response.destroyed) return request.body.release();
    const [answerBody, isRepeat] = [new BodyCopy(room), repeat !== undefined];
    const relay = new Relay(response, answerBody, request.arrivedAt, (outcome) =>
      ended({ ...request, outcome, answerBody, endedAt: performance.now(), isRepeat }),
    );
    dispatch(request, relay, repeat ?? toTarget, whole, length);
  };
}

/** Longer chats are in no recording. A chat without a key is for the target to refuse. */
function isRecordable({ method, url, rawHeaders }: RelayedRequest, chats: string, length: number): boolean {
  const hasKey = headerIn(rawHeaders, HEADERS.authorization) !== undefined;
  return method === 'POST' && url === chats && length <= MOST_KEPT && hasKey;
}

function arrived({ method = '', url = '', rawHeaders }: IncomingMessage, n: number, room: CopyRoom) {
  const [at, arrivedAt] = [new Date().toISOString(), performance.now()];
  return { n, at, arrivedAt, method, url, rawHeaders, body: new BodyCopy(room) };
}

/** Infinity where only the end of the body shows it. */
function bodyLength({ rawHeaders }: RelayedRequest): number {
  if (headerIn(rawHeaders, 'transfer-encoding') !== undefined) return Infinity;
  return Number(headerIn(rawHeaders, 'content-length') ?? 0);
}

/** A target that answers before it has read everything ends this stream, and not the caller's connection. */
async function* copied(message: IncomingMessage, { body, arrivedAt }: RelayedRequest) {
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue;
    body.add(chunk, performance.now() - arrivedAt);
    yield chunk;
  }
}

function dispatch(
  { method, url, rawHeaders }: RelayedRequest,
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
