import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { identify, occasionOf } from '../chat/exchange.ts';
import type { Service } from '../chat/service.ts';
import type { CertificateFlaw, Loss } from '../faults/fault.ts';
import type { Connections } from '../http/connections.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import type { Certificates } from './certificates.ts';

export interface Secured {
  readonly sandboxes: Sandboxes;
  readonly connections: Connections;
  readonly certificates: Certificates;
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
    void accept(secured, socket, serve);
  });
}

/** Takes a connection through its handshake, unless a fault of the mock's own world prevents it: no sandbox is known before a request. */
async function accept(secured: Secured, socket: Socket, serve: (socket: TLSSocket) => void): Promise<void> {
  const { service } = secured.sandboxes.root;
  const requestId = nextId(service);
  const use = service.faults.take({ requestId }, 'handshake');
  const effect = use?.rule.effect(occasionOf(service, 'handshake', requestId));
  const record = use && beginRecord(service, requestId);
  record?.reached('handshake');
  if (use !== undefined) record?.triggered({ rule: use.id, fault: use.rule.words.fault, phase: 'handshake' });
  socket.once('close', () => record?.ended('client-gone', socket.bytesWritten));
  if (effect?.kind === 'lose') return lose(socket, effect.instead, record);
  if (effect?.kind === 'wait') await service.delays.wait(effect.ms);
  if (socket.destroyed) return;
  const flaw = effect?.kind === 'certify' ? effect.flaw : undefined;
  shakeHands(secured, socket, flaw, (secure) => {
    record?.ended('answered', socket.bytesWritten);
    serve(secure);
  });
}

/** Reads what the client says and never answers, or breaks off. */
function lose(socket: Socket, instead: Loss['instead'], record: JournalRecord | undefined): void {
  if (instead === 'silence') {
    record?.ended('silent', 0);
    socket.once('end', () => socket.destroy()).resume();
    return;
  }
  // Once the client has begun to speak: before, it could not know that anyone is there.
  socket.once('data', () => {
    record?.ended('cut', 0);
    if (instead === 'rst') socket.resetAndDestroy();
    else socket.destroySoon();
  });
}

/** A server of its own for each connection, which does not listen: Node does not say which connection a secure one stands on. */
function shakeHands(
  { certificates, connections, sandboxes }: Secured,
  socket: Socket,
  flaw: CertificateFlaw | undefined,
  serve: (socket: TLSSocket) => void,
): void {
  const { service } = sandboxes.root;
  const options = { ...certificates.shown(flaw), handshakeTimeout: service.world.limits.headersMs };
  const server = createServer(options, (secure) => {
    connections.passedOn(socket);
    secure.allowHalfOpen = true;
    // Node resets no secure connection. The one that it stands on can be reset.
    serve(Object.assign(secure, { resetAndDestroy: () => socket.resetAndDestroy() && secure.destroy() }));
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

const NOTHING = {
  method: 'TLS',
  body: Buffer.alloc(0),
  authorization: undefined,
  idempotencyKey: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  fault: undefined,
};

/** Why handshakes fail, by how Node's code ends. */
const REASONS = [
  ['ERR_SSL_HTTP_REQUEST', 'the client spoke HTTP without TLS; the base URL begins with https://'],
  ['_UNKNOWN_CA', 'the client does not trust the certificate'],
] as const;

/** A handshake that the client broke off, or that could not be read. */
function recordFailure(service: Service, { code = '', message }: NodeJS.ErrnoException): void {
  // Someone who only looks whether the port is open is no news.
  if (code === 'ECONNRESET') return;
  beginRecord(service, nextId(service))?.ended('client-gone', 0);
  const reason = REASONS.find(([ending]) => code.endsWith(ending))?.[1] ?? (code || message);
  service.log(`a TLS handshake failed: ${reason}`);
}

function beginRecord({ journal }: Service, requestId: string): JournalRecord | undefined {
  return journal?.begin({ ...NOTHING, url: 'handshake', rawHeaders: [], requestId, isRequest: false });
}

/** Drawn from the seed, as the ID of a request is. */
function nextId({ seed, occurrences }: Service): string {
  return identify(seed, occurrences, { ...NOTHING, url: '' }).requestId;
}
