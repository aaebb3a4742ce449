import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Socket } from 'node:net';

import type { Connections } from './connections.ts';
import { handleRequest } from './handle-request.ts';
import { refuseBytes, refuseConnection } from './refuse-connection.ts';
import type { Service } from './service.ts';
import { ServiceError } from './service-error.ts';
import type { Limits } from './world.ts';

const EMPTY = Buffer.alloc(0);

/** A server of node:http, not listening yet, on which everything gets an error object that gets no answer. */
export function createHttpServer(service: Service, connections: Connections): Server {
  const server = createServer(timeouts(service.world.limits));
  server.timeout = service.world.limits.silenceMs;
  server.on('connection', (socket) => connections.opened(socket));
  server.on('request', (message, response) => {
    handleRequest(service, connections, response, isHostMissing(message) ? noHost() : undefined);
  });
  server.on('checkExpectation', (_message, response) => {
    handleRequest(service, connections, response, new ServiceError('expectation_failed'));
  });
  server.on('connect', (_message, socket) =>
    refuseConnection(service, new ServiceError('not_found'), EMPTY, socket),
  );
  server.on('clientError', (error, socket) => {
    // What is written now would be taken for the answer to the request before.
    if (socket instanceof Socket && connections.isAnswering(socket)) socket.destroy();
    else refuseBytes(service, error, socket);
  });
  return server;
}

/** Node looks for slow connections at an interval: often enough for the shortest limit. */
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

function isHostMissing({ httpVersion, headers }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

function noHost(): ServiceError {
  return new ServiceError('malformed_http', { detail: 'The Host header is absent' });
}
