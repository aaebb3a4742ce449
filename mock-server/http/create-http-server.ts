import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { LONGEST_PATH } from '../../fixtures/chats/wire.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import type { Limits } from '../world/world.ts';
import { type Connections, refuseBytes, refuseTunnel } from './connections.ts';
import { handleRequest } from './handle-request.ts';
import { headerOf } from './read-request.ts';
import { DESCRIPTION, serveDescription } from './serve-description.ts';

/** Every request belongs to a sandbox, or to the control API if there is one. */
export interface Served {
  readonly sandboxes: Sandboxes;
  readonly connections: Connections;
  /** Answers a request to the control API. Returns false for any other request. */
  readonly control?: (message: IncomingMessage, response: ServerResponse) => boolean;
}

/** A server of node:http that does not listen yet. Whatever it cannot answer gets an error object. */
export function createHttpServer(served: Served): Server {
  const { sandboxes, connections } = served;
  const { limits } = sandboxes.root.service.world;
  const server = createServer(timeouts(limits));
  server.timeout = limits.silenceMs;
  server.on('connection', (socket) => connections.opened(socket));
  server.on('request', (message, response) => {
    serve(served, response, refusalOf(message));
  });
  server.on('checkExpectation', (_message, response) => {
    serve(served, response, new ServiceError('expectation_failed'));
  });
  server.on('connect', (message, socket) => refuseTunnel(sandboxes.root.service, message, socket));
  server.on('clientError', (error, socket) => {
    // The client would read an error object as the answer to its earlier request.
    if (socket instanceof Socket && connections.isAnswering(socket)) socket.destroy();
    else refuseBytes(sandboxes.root.service, error, socket);
  });
  return server;
}

/** The service of a sandbox gets the URL from `/v1` on, as if it were the only one. */
function serve(
  { sandboxes, connections, control }: Served,
  response: ServerResponse,
  refusal?: ServiceError,
): void {
  const message = response.req;
  if (control?.(message, response) === true) return;
  const { sandbox, url } = sandboxes.find(message.url ?? '');
  message.url = url;
  if (refusal === undefined && url === DESCRIPTION && message.method === 'GET') {
    serveDescription(sandbox.service, connections, response);
    return;
  }
  void handleRequest(sandbox.service, connections, response, refusal);
}

/** Node checks for slow connections at an interval, which must fit the shortest limit. */
function timeouts(limits: Limits): Parameters<typeof createServer>[0] & object {
  return {
    headersTimeout: Math.min(limits.headersMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs, limits.requestMs),
    // Node's own refusal has no error object.
    requireHostHeader: false,
  };
}

function refusalOf(message: IncomingMessage): ServiceError | undefined {
  if ((message.url ?? '').length > LONGEST_PATH) return new ServiceError('uri_too_long');
  if (message.httpVersion !== '1.1' || headerOf(message, 'host') !== undefined) return undefined;
  return new ServiceError('malformed_http', { detail: 'The Host header is absent' });
}
