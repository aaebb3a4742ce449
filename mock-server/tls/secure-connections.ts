import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
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

/** Has a server speak TLS: it gets a connection once its handshake has succeeded. */
export function speakTls(server: Server, secured: Secured): void {
  const listeners = server.listeners('connection');
  const servers = new SecureServers(secured, (socket) => {
    for (const listener of listeners) listener.call(server, socket);
  });
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => accept(secured, servers, socket));
}

/** Takes a connection through its handshake, unless a fault of the mock's own world prevents it. */
function accept({ sandboxes, connections }: Secured, servers: SecureServers, socket: Socket): void {
  const { service } = sandboxes.root;
  connections.opened(socket);
  const handshake = meetHandshake(service);
  const { effect, record } = handshake;
  if (effect !== undefined) socket.once('close', () => record?.ended('client-gone', socket.bytesWritten));
  if (effect?.kind === 'lose') {
    if (effect.instead === 'silence') keepSilent(socket, handshake);
    else breakOff(socket, handshake, effect.instead === 'rst');
  } else if (effect?.kind === 'wait') {
    service.delays.after(effect.ms, () => {
      if (!socket.destroyed) servers.shakeHands({ socket, handshake });
    });
  } else {
    servers.shakeHands({ socket, handshake }, effect?.kind === 'certify' ? effect.flaw : undefined);
  }
}

/** Reads what the client says, and never answers. */
function keepSilent(socket: Socket, { record }: Handshake): void {
  record?.ended('silent', 0);
  socket.once('end', () => socket.destroy()).resume();
}

/** Once the client has begun to speak: before, it could not know that anyone is there. */
function breakOff(socket: Socket, { record }: Handshake, isReset: boolean): void {
  socket.once('data', () => {
    record?.ended('cut', 0);
    if (isReset) socket.resetAndDestroy();
    else socket.destroySoon();
  });
}

interface Arriving {
  readonly socket: Socket;
  readonly handshake: Handshake;
}

/** Servers of node:tls that do not listen, one for each kind of certificate. They get connections from others. */
class SecureServers {
  readonly #secured: Secured;
  readonly #serve: (socket: TLSSocket) => void;
  readonly #servers = new Map<CertificateFlaw | undefined, TlsServer>();
  /** By their peers, because Node does not say which connection a secure one stands on. */
  readonly #arriving = new Map<string, Arriving>();

  constructor(secured: Secured, serve: (socket: TLSSocket) => void) {
    this.#secured = secured;
    this.#serve = serve;
  }

  shakeHands(arriving: Arriving, flaw?: CertificateFlaw): void {
    const { socket } = arriving;
    const peer = peerOf(socket);
    // Until it has succeeded, a client that ends its side is gone.
    socket.allowHalfOpen = false;
    this.#arriving.set(peer, arriving);
    socket.once('close', () => {
      if (this.#arriving.get(peer) === arriving) this.#arriving.delete(peer);
    });
    this.#serverFor(flaw).emit('connection', socket);
  }

  #serverFor(flaw: CertificateFlaw | undefined): TlsServer {
    const known = this.#servers.get(flaw);
    if (known !== undefined) return known;
    const { certificates, sandboxes } = this.#secured;
    const handshakeTimeout = sandboxes.root.service.world.limits.headersMs;
    const server = createServer({ ...certificates.shown(flaw), handshakeTimeout });
    server.on('secureConnection', (socket) => this.#passOn(socket));
    server.on('tlsClientError', (error, socket) => {
      // After some errors, Node leaves it open.
      socket.destroy();
      // That a client refuses a wrong certificate is no failure.
      if (flaw === undefined) recordFailure(sandboxes.root.service, error);
    });
    this.#servers.set(flaw, server);
    return server;
  }

  #passOn(secured: TLSSocket): void {
    const peer = peerOf(secured);
    const arriving = this.#arriving.get(peer);
    // Its connection has closed already.
    if (arriving === undefined) return void secured.destroy();
    const { socket, handshake } = arriving;
    this.#arriving.delete(peer);
    this.#secured.connections.passedOn(socket);
    secured.allowHalfOpen = true;
    handshake.record?.ended('answered', socket.bytesWritten);
    this.#serve(resettable(secured, socket));
  }
}

/** Node resets no secure connection. The one that it stands on can be reset. */
function resettable(secured: TLSSocket, socket: Socket): TLSSocket {
  return Object.assign(secured, { resetAndDestroy: () => socket.resetAndDestroy() && secured.destroy() });
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
