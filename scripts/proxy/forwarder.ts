import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import {
  isForeignHost,
  isLoopback,
  isLoopbackOrigin,
  isOfOtherPage,
  listening,
} from '../../mock-server/protocol/loopback.ts';
import type { Outcome } from '../../suites/engine/model/exchange.ts';
import { addressOf, type Network } from '../../suites/engine/model/network.ts';
import { asError } from '../../suites/engine/model/ruling.ts';
import { type Connections, openConnections } from '../../suites/engine/network/connection-pool.ts';
import { type Route, routeTo } from '../../suites/engine/network/route.ts';
import { ReceivedBody } from '../../suites/engine/sending/received-body.ts';
import type { RelayedRequest } from './passed-exchange.ts';
import type { Recorder } from './recorder.ts';
import { headersOf, MOST_KEPT, passedHeaders, Relay } from './relay.ts';

/** No time limit: the caller and the target have theirs. */
const UNLIMITED = 0;

const SERVER_OPTIONS = {
  requestTimeout: UNLIMITED,
  headersTimeout: UNLIMITED,
  keepAliveTimeout: UNLIMITED,
  /** Callers may send longer heads than Node reads by default; the target decides. */
  maxHeaderSize: 256 * 1024,
};

export interface ForwarderOptions {
  /** The base URL of the service. */
  readonly target: string;
  readonly network?: Network | undefined;
  readonly host: string;
  readonly port: number;
  /** Is told of every exchange that has ended. */
  readonly recorder: Recorder;
}

export type Forwarder = Awaited<ReturnType<typeof startForwarder>>;

/** Listens, and passes every request on to the target. */
export async function startForwarder({ target, network = {}, host, port, recorder }: ForwarderOptions) {
  const route = routeTo(addressOf(target), network);
  const connections = openConnections(route, network, { connectMs: 30_000, answerMs: UNLIMITED });
  let count = 0;
  const pass = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    count += 1;
    const { method = '', url = '', rawHeaders } = message;
    const [at, arrivedAt, headers] = [new Date().toISOString(), performance.now(), headersOf(rawHeaders)];
    const request = { n: count, at, arrivedAt, method, url, headers, body: new ReceivedBody(MOST_KEPT) };
    await recorder.ready();
    // The caller left before anything was sent on.
    if (response.destroyed) return;
    const outcome = await relayed(request, message, response, { route, connections });
    recorder.note({ ...request, outcome, endedAt: performance.now() });
  };
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    const refusal = refusalOf(request, isLoopback(host));
    if (refusal === undefined) void pass(request, response);
    else response.writeHead(refusal.status, { 'content-type': 'text/plain' }).end(`${refusal.reason}\n`);
  });
  const { origin } = await listening(server, host, port);
  return {
    /** What callers use in place of the target's base URL. */
    baseUrl: `${origin}${addressOf(target).path}`,
    close: async (): Promise<void> => {
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

/** Passes a request on, and resolves once its answer has been passed back. */
function relayed(
  { method, url, headers, body }: RelayedRequest,
  message: IncomingMessage,
  response: ServerResponse,
  { route, connections }: { readonly route: Route; readonly connections: Connections },
): Promise<Outcome> {
  // Only its end shows how long a chunked body is.
  const length = headers.has('transfer-encoding') ? Infinity : Number(headers.get('content-length') ?? 0);
  const request = {
    method,
    path: url,
    headers: ['host', route.origin.host, ...passedHeaders(message.rawHeaders, 'expect', 'host')],
    body: length === 0 ? null : Readable.from(copied(message, body), { objectMode: false }),
  };
  return new Promise((resolve) => {
    const relay = new Relay(response, route, resolve);
    try {
      connections.dispatch(request, length, relay);
    } catch (error) {
      relay.onResponseError(undefined, asError(error));
    }
  });
}

/** A target that answers before it has read everything ends this stream, and not the caller's connection. */
async function* copied(message: IncomingMessage, body: ReceivedBody) {
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue;
    body.add(chunk, 0);
    yield chunk;
  }
}
