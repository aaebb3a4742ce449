import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ENDPOINTS, HEADERS } from '../../fixtures/chats/chat.ts';
import {
  isForeignHost,
  isLoopback,
  isLoopbackOrigin,
  isOfOtherPage,
} from '../../mock-server/protocol/loopback.ts';
import type { Outcome } from '../../suites/engine/model/exchange.ts';
import { addressOf, type Network } from '../../suites/engine/model/network.ts';
import { asError } from '../../suites/engine/model/ruling.ts';
import { type Connections, openConnections } from '../../suites/engine/network/connection-pool.ts';
import { type Route, routeTo } from '../../suites/engine/network/route.ts';
import { ReceivedBody } from '../../suites/engine/sending/received-body.ts';
import type { RelayedRequest } from './passed-exchange.ts';
import type { Recorder } from './recorder.ts';
import type { Recording } from './recording.ts';
import { headersOf, MOST_KEPT, passedHeaders, type RawHeaders, Relay } from './relay.ts';

/** No time limit: the caller and the target have theirs. */
const UNLIMITED = 0;

/** Callers may send longer heads than Node reads by default; the target decides. */
const MOST_HEAD_BYTES = 256 * 1024;

/** Where a request is sent on, and what is changed for that. */
export interface Destination {
  readonly route: Route;
  readonly connections: Connections;
  /** Absent: as it came. */
  readonly path?: string;
  /** In place of those of these names. */
  readonly headers: RawHeaders;
}

/** The way to the service with this base URL. */
export function destinationAt(baseUrl: string, network: Network): Destination {
  const route = routeTo(addressOf(baseUrl), network);
  const patience = { connectMs: 30_000, answerMs: UNLIMITED };
  const connections = openConnections(route, network, patience);
  return { route, connections, headers: ['host', route.origin.host] };
}

export interface ForwarderOptions {
  /** The base URL of the service. */
  readonly target: string;
  readonly network?: Network | undefined;
  readonly host: string;
  readonly port: number;
  /** Is told of every exchange with the target that has ended. */
  readonly recorder: Recorder;
  /** Answers the chats that it has in place of the target. */
  readonly recording?: Recording | undefined;
}

export type Forwarder = Awaited<ReturnType<typeof startForwarder>>;

/** Listens, and passes every request on to the target. */
export async function startForwarder(options: ForwarderOptions) {
  const { target, network = {}, host, port } = options;
  const destination = destinationAt(target, network);
  const pass = passing(options, destination);
  const server = createServer({ maxHeaderSize: MOST_HEAD_BYTES, requestTimeout: UNLIMITED });
  Object.assign(server, { headersTimeout: UNLIMITED, keepAliveTimeout: UNLIMITED });
  server.on('request', (request, response) => {
    const refusal = refusalOf(request, isLoopback(host));
    if (refusal === undefined) void pass(request, response);
    else response.writeHead(refusal.status, { 'content-type': 'text/plain' }).end(`${refusal.reason}\n`);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' ? address?.port : port;
  return {
    /** What callers use in place of the target's base URL. */
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${addressOf(target).path}`,
    /** Ends every connection. */
    close: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await destination.connections.close();
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

/** Passes one request on, and its answer back. */
function passing({ target, recorder, recording }: ForwarderOptions, toTarget: Destination) {
  const chats = addressOf(target).path + ENDPOINTS.chat;
  let count = 0;
  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    count += 1;
    const request = arrived(message, count);
    await recorder.ready();
    const length = bodyLength(request);
    const pieces = length === 0 ? null : Readable.from(copied(message, request), { objectMode: false });
    const asked = recording && pieces && isRecordable(request, chats, length) ? recording : undefined;
    const body = asked && pieces ? await buffer(pieces).catch(() => undefined) : pieces;
    // What has just ended may be the answer.
    await (asked && recorder.recorded());
    const repeat =
      body instanceof Uint8Array ? await asked?.destinationOf(body).catch(() => undefined) : undefined;
    // The caller left before anything was sent on.
    if (body === undefined || response.destroyed) return;
    const outcome = await relayed(message, response, repeat ?? toTarget, body, length);
    if (repeat === undefined) recorder.note({ ...request, outcome, endedAt: performance.now() });
  };
}

/** Longer chats are in no recording. A chat without a key is for the target to refuse. */
function isRecordable({ method, url, headers }: RelayedRequest, chats: string, length: number): boolean {
  return method === 'POST' && url === chats && length <= MOST_KEPT && headers.has(HEADERS.authorization);
}

function arrived({ method = '', url = '', rawHeaders }: IncomingMessage, n: number): RelayedRequest {
  const [at, arrivedAt, headers] = [new Date().toISOString(), performance.now(), headersOf(rawHeaders)];
  return { n, at, arrivedAt, method, url, headers, body: new ReceivedBody(MOST_KEPT) };
}

/** Infinity where only the end of the body shows it. */
function bodyLength({ headers }: RelayedRequest): number {
  return headers.has('transfer-encoding') ? Infinity : Number(headers.get('content-length') ?? 0);
}

/** A target that answers before it has read everything ends this stream, and not the caller's connection. */
async function* copied(message: IncomingMessage, { body, arrivedAt }: RelayedRequest) {
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue;
    body.add(chunk, performance.now() - arrivedAt);
    yield chunk;
  }
}

/** Resolves once the answer has been passed on. */
function relayed(
  { method = '', url = '', rawHeaders }: IncomingMessage,
  response: ServerResponse,
  { route, connections, path = url, headers: own }: Destination,
  body: Readable | Buffer | null,
  length: number,
): Promise<Outcome> {
  const replaced = own.filter((_, index) => index % 2 === 0);
  const headers = [...own, ...passedHeaders(rawHeaders, 'expect', ...replaced)];
  return new Promise((resolve) => {
    const relay = new Relay(response, route, resolve);
    try {
      connections.dispatch({ method, path, headers, body }, length, relay);
    } catch (error) {
      relay.onResponseError(undefined, asError(error));
    }
  });
}
