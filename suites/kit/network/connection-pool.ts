import { Client, type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Network } from '../model/network.ts';
import { secureContextOf } from './peer-certificate.ts';
import { isSocks, lookupFor, type Route } from './route.ts';
import { socksAgent } from './socks-agent.ts';

/**
 * Bytes of a body up to which its request shares a connection with others. A service may answer before it has read a
 * larger one: whatever it leaves unread, or closes, must meet no other request.
 */
const MOST_SHARED_BYTES = 16 * 1024;

const MOST_CONNECTIONS = 256;

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

/** A way to the target for one request. */
interface Connection {
  readonly dispatcher: Dispatcher;
  /** The exchange has ended. */
  readonly release: () => void;
}

/** How long to wait, in milliseconds. */
export interface Patience {
  readonly connectMs: number;
  /** For the head of the answer, and between two pieces of its body. */
  readonly answerMs: number;
}

/** The connections to one origin: some that requests share, and one for each large body alone. */
export class ConnectionPool {
  readonly #origin: string;
  readonly #open: (connections: number) => Dispatcher;
  readonly #shared: Dispatcher;
  readonly #own = new Set<Dispatcher>();

  constructor(route: Route, network: Network, patience: Patience) {
    this.#origin = route.origin.origin;
    this.#open = (connections) => dispatcherFor(route, network, patience, connections);
    this.#shared = this.#open(MOST_CONNECTIONS);
  }

  /** Sends over a connection for a body of this many bytes; call `release` when the exchange has ended. */
  open(bytes: number): Connection {
    if (bytes <= MOST_SHARED_BYTES) return { dispatcher: this.#shared, release: () => {} };
    const own = this.#open(1);
    this.#own.add(own);
    return { dispatcher: own, release: () => void this.#end(own) };
  }

  /** A proxy needs to be told for whom a request is. */
  get origin(): string {
    return this.#origin;
  }

  async close(): Promise<void> {
    await Promise.all([this.#shared.destroy(), ...[...this.#own].map((each) => this.#end(each))]);
  }

  #end(own: Dispatcher): Promise<void> {
    this.#own.delete(own);
    return own.destroy();
  }
}

function dispatcherFor(route: Route, network: Network, patience: Patience, connections: number): Dispatcher {
  const { resolve, http2 = false } = network;
  const allowH2 = http2 && route.origin.protocol === 'https:';
  const answering = { headersTimeout: patience.answerMs, bodyTimeout: patience.answerMs };
  const timeouts = { ...answering, ...KEEP_ALIVE, pipelining: 1 };
  const secure = { ...tlsOf(network), timeout: patience.connectMs, allowH2, preferH2: allowH2 };
  if (route.kind === 'direct' || route.kind === 'socket') {
    const lookup = lookupFor(route.origin, resolve);
    const socketPath = route.kind === 'socket' ? { socketPath: route.socketPath } : {};
    const connect = { ...secure, ...socketPath, ...(lookup !== undefined && { lookup }) };
    return opened(route.origin.origin, { ...timeouts, connect, allowH2 }, connections);
  }
  const lookup = lookupFor(route.proxy, resolve);
  const found = lookup === undefined ? {} : { lookup };
  if (isSocks(route.proxy)) {
    const proxy = { ...found, timeout: patience.connectMs };
    const { preferH2: _, ...target } = secure;
    return socksAgent(route.proxy, { proxy, target, timeouts: answering });
  }
  const proxyTls = { ...tlsOf(network), allowH2: false, ...found };
  return new ProxyAgent({
    uri: route.proxy.href,
    ...timeouts,
    allowH2,
    proxyTunnel: route.kind === 'tunnel',
    connectTimeout: patience.connectMs,
    proxyTls: { ...proxyTls, timeout: patience.connectMs },
    requestTls: secure,
    clientFactory: (proxy, options) =>
      new ProxyClient(proxy, { ...options, ...KEEP_ALIVE, headersTimeout: patience.connectMs }),
    factory: (origin, options: Pool.Options) =>
      opened(String(origin), { ...timeouts, ...options }, connections),
  });
}

/** One connection has no queue of others behind it. */
function opened(origin: string, options: Pool.Options, connections: number): Dispatcher {
  return connections === 1 ? new Client(origin, options) : new Pool(origin, { ...options, connections });
}

function tlsOf({ tls }: Network): { readonly secureContext?: ReturnType<typeof secureContextOf> } {
  return tls === undefined ? {} : { secureContext: secureContextOf(tls) };
}

/** A proxy that opens no tunnel. */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';
  readonly status: number;

  constructor(status: number) {
    super(`the proxy answered ${status}`);
    this.status = status;
  }
}

/** Says which status a proxy answered, which undici's error says only in words. */
class ProxyClient extends Pool {
  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(
    options: Dispatcher.ConnectOptions,
    callback: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): void;
  override connect(
    options: Dispatcher.ConnectOptions,
    callback?: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): Promise<Dispatcher.ConnectData> | void {
    if (callback !== undefined) return super.connect(options, callback);
    return this.#tunnel(options);
  }

  async #tunnel(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const data = await super.connect(options);
    if (data.statusCode === 200) return data;
    data.socket.on('error', () => {}).destroy();
    throw new ProxyRefusal(data.statusCode);
  }
}
