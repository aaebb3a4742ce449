import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { LONGEST_PATH } from '../../fixtures/chats/chat.ts';
import { ServiceError, type ErrorKind } from '../protocol/service-error.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import type { Limits } from '../world/world-schema.ts';
import type { Connections } from './connections.ts';
import { handleRequest, type Refusal } from './handle-request.ts';
import { headerOf } from './read-request.ts';

/** Every request belongs to a sandbox, or to the control API if there is one. */
export interface Served {
  readonly sandboxes: Sandboxes;
  readonly connections: Connections;
  /** Answers a request to the control API. Returns false for any other request. */
  readonly control?: ((message: IncomingMessage, response: ServerResponse) => boolean) | undefined;
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
    serve(served, response, { error: new ServiceError('expectation_failed') });
  });
  server.on('connect', (message) => {
    refuseUnread(served, message, { error: new ServiceError('not_found'), bytes: EMPTY });
  });
  server.on('clientError', (error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }, socket) => {
    if (!(socket instanceof Socket)) return;
    const { code = '', rawPacket: bytes = EMPTY } = error;
    const message = Object.assign(new IncomingMessage(socket), { method: 'BYTES', url: '' });
    refuseUnread(served, message, { error: new ServiceError(UNREADABLE[code] ?? 'malformed_http'), bytes });
  });
  return server;
}

const UNREADABLE: Readonly<Record<string, ErrorKind>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const EMPTY = Buffer.alloc(0);

/** Answers with an error object (ERR-11) what Node has no answer for, and closes the connection. */
function refuseUnread({ sandboxes, connections }: Served, message: IncomingMessage, refusal: Refusal): void {
  const { socket } = message;
  // The client would read an error object as the answer to its earlier request.
  if (!socket.writable || connections.isAnswering(socket)) return void socket.destroy();
  const response = connections.unread(socket) ?? new ServerResponse(message);
  if (response.socket === null) response.assignSocket(socket);
  response.shouldKeepAlive = false;
  response.on('finish', () => socket.destroySoon());
  void handleRequest(sandboxes.root.service, connections, response, refusal);
}

/** The service of a sandbox gets the URL from `/v1` on, as if it were the only one. */
function serve({ sandboxes, connections, control }: Served, response: ServerResponse, refusal?: Refusal) {
  const message = response.req;
  // RFC 9112, 3.2.2: a server accepts the absolute form too.
  message.url = message.url?.replace(/^https?:\/\/[^/?]*/i, '');
  if (control?.(message, response) === true) return;
  const { sandbox, url } = sandboxes.find(message.url ?? '');
  message.url = url;
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

function refusalOf(message: IncomingMessage): Refusal | undefined {
  if ((message.url ?? '').length > LONGEST_PATH) return { error: new ServiceError('uri_too_long') };
  if (message.httpVersion !== '1.1' || headerOf(message, 'host') !== undefined) return undefined;
  return { error: new ServiceError('malformed_http', { detail: 'The Host header is absent' }) };
}
