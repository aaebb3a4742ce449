import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Network, TlsFiles } from '../model/network.ts';
import type { Route } from './route.ts';

/**
 * Bytes of a body up to which its connection is used again. A service may answer before it has read a larger one: whatever
 * it leaves unread, or closes, must meet no other request.
 */
const MOST_SHARED_BYTES = 16 * 1024;

/**
 * A connection that is idle for longer is closed. Services close idle ones too, many after two seconds, and what a request
 * meets that leaves at that moment nobody knows.
 */
const MOST_IDLE_MS = 500;

/** The threshold: how much sooner it is closed than the service announces. */
const KEEP_ALIVE = {
  keepAliveTimeout: MOST_IDLE_MS,
  keepAliveMaxTimeout: MOST_IDLE_MS,
  keepAliveTimeoutThreshold: MOST_IDLE_MS,
};

/** How long to wait, in milliseconds: `answerMs` for the head of the answer, and between two pieces of its body. */
type Patience = Readonly<Record<'connectMs' | 'answerMs', number>>;

export type Connections = ReturnType<typeof openConnections>;

/** The connections to one origin, as many as there are requests at the same time. */
export function openConnections(route: Route, network: Network, patience: Patience) {
  const { origin } = route.origin;
  const dispatcher = dispatcherFor(route, network, patience);
  return {
    /** Sends a request with a body of this many bytes; `isOwn`: on a new connection that no other request uses. */
    dispatch: (
      request: Omit<Dispatcher.DispatchOptions, 'origin'>,
      bytes: number,
      handler: Dispatcher.DispatchHandler,
      isOwn = false,
    ): void => {
      const last = bytes > MOST_SHARED_BYTES ? { reset: true } : {};
      const used = isOwn ? dispatcherFor(route, network, patience) : dispatcher;
      used.dispatch({ ...request, ...last, origin }, handler);
      if (isOwn) void used.close();
    },
    close: (): Promise<void> => dispatcher.destroy(),
  };
}

function dispatcherFor({ origin, proxy }: Route, network: Network, patience: Patience): Dispatcher {
  const { connectMs, answerMs } = patience;
  const context = network.tls === undefined ? {} : { secureContext: secureContextOf(network.tls) };
  const answering = { headersTimeout: answerMs, bodyTimeout: answerMs };
  const target = { ...context, timeout: connectMs, allowH2: false };
  const own = { ...answering, ...KEEP_ALIVE, allowH2: false };
  if (proxy === undefined) return new Pool(origin, { ...own, connect: target });
  return new ProxyAgent({
    uri: proxy.href,
    ...own,
    connectTimeout: connectMs,
    proxyTls: { ...context, allowH2: false },
    requestTls: target,
    clientFactory: (to, options) => new Pool(to, { ...options, headersTimeout: connectMs }),
    factory: (to, options: Pool.Options) => new Pool(to, { ...own, ...options }),
  });
}

/**
 * The certificates that a target is trusted by, and those of the client.
 * @throws {Error} Given files that are not what they should be.
 */
export function secureContextOf({ ca, cert, key }: TlsFiles): SecureContext {
  return createSecureContext({
    // An authority of the user's is trusted beside the public ones: a proxy and a control URL may have others.
    ca: ca === undefined ? undefined : [...getCACertificates('default'), ca],
    cert,
    key,
  });
}

/** The connection that carries a request, once it leaves. */
export interface ConnectionUse {
  /** Whether it has carried another request before. */
  isReused?: boolean;
  /** What ended it, as far as is known. */
  firstError?: () => Error | undefined;
}

const used = new WeakSet<Socket>();

/** The first error of a connection. undici tells the last: that it was closed, and not the alert of TLS before. */
const firstErrors = new WeakMap<Socket, Error>();

/** Of the request that undici begins; it writes the head within the same turn, and only there names the connection. */
let beginning: ConnectionUse = {};

subscribe('undici:client:connected', (message) => {
  const socket = socketIn(message);
  socket.once('error', (error) => void firstErrors.set(socket, error));
});

subscribe('undici:client:sendHeaders', (message) => {
  const socket = socketIn(message);
  Object.assign(beginning, { isReused: used.has(socket), firstError: () => firstErrors.get(socket) });
  beginning = {};
  used.add(socket);
});

function socketIn(message: unknown): Socket {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici documents these messages
  return (message as { readonly socket: Socket }).socket;
}

/** Call it when a request begins. */
export function watchConnection(): ConnectionUse {
  beginning = {};
  return beginning;
}
