import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { CertificateFlaw } from '../faults/fault.ts';
import type { Connections } from '../http/connections.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import type { Certificates } from './certificates.ts';
import { type Handshake, meetHandshake, recordFailure } from './handshake.ts';

export interface Secured {
  readonly sandboxes: Sandboxes;
  readonly connections: Connections;
  readonly certificates: Certificates;
}

/** A connection whose handshake begins. */
interface Arriving extends Handshake {
  readonly secured: Secured;
  readonly socket: Socket;
  readonly serve: (socket: TLSSocket) => void;
}

/** Has a server speak TLS: it gets a connection once its handshake has succeeded. */
export function speakTls(server: Server, secured: Secured): void {
  const listeners = server.listeners('connection');
  const serve = (socket: TLSSocket): void => {
    for (const listener of listeners) listener.call(server, socket);
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    secured.connections.opened(socket);
    void accept({ secured, socket, serve, ...meetHandshake(secured.sandboxes.root.service) });
  });
}

/** Takes a connection through its handshake, unless a fault of the mock's own world prevents it. */
async function accept(arriving: Arriving): Promise<void> {
  const { secured, socket, effect, record } = arriving;
  if (effect !== undefined) socket.once('close', () => record?.ended('client-gone', socket.bytesWritten));
  if (effect?.kind === 'lose') {
    if (effect.instead === 'silence') keepSilent(arriving);
    else breakOff(arriving, effect.instead === 'rst');
    return;
  }
  if (effect?.kind === 'wait') await secured.sandboxes.root.service.delays.wait(effect.ms);
  if (!socket.destroyed) shakeHands(arriving, effect?.kind === 'certify' ? effect.flaw : undefined);
}

/** Reads what the client says, and never answers. */
function keepSilent({ socket, record }: Arriving): void {
  record?.ended('silent', 0);
  socket.once('end', () => socket.destroy()).resume();
}

/** Once the client has begun to speak: before, it could not know that anyone is there. */
function breakOff({ socket, record }: Arriving, isReset: boolean): void {
  socket.once('data', () => {
    record?.ended('cut', 0);
    if (isReset) socket.resetAndDestroy();
    else socket.destroySoon();
  });
}

/** A server of its own for each connection, which does not listen: Node does not say which connection a secure one stands on. */
function shakeHands({ secured, socket, record, serve }: Arriving, flaw?: CertificateFlaw): void {
  const { certificates, connections, sandboxes } = secured;
  const { service } = sandboxes.root;
  const options = { ...certificates.shown(flaw), handshakeTimeout: service.world.limits.headersMs };
  const server = createServer(options, (secure) => {
    connections.passedOn(socket);
    secure.allowHalfOpen = true;
    record?.ended('answered', socket.bytesWritten);
    serve(resettable(secure, socket));
  });
  server.on('tlsClientError', (error, broken) => {
    // After some errors, Node leaves it open.
    broken.destroy();
    // That a client refuses a wrong certificate is no failure.
    if (flaw === undefined) recordFailure(service, error);
  });
  // Until it has succeeded, a client that ends its side is gone.
  socket.allowHalfOpen = false;
  server.emit('connection', socket);
}

/** Node resets no secure connection. The one that it stands on can be reset. */
function resettable(secure: TLSSocket, socket: Socket): TLSSocket {
  return Object.assign(secure, { resetAndDestroy: () => socket.resetAndDestroy() && secure.destroy() });
}
