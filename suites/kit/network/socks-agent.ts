import { buildConnector, type Dispatcher, Socks5ProxyAgent } from 'undici';
import { plainHost } from './choose-proxy.ts';

/** What a SOCKS agent takes beside its proxy. */
export interface SocksOptions {
  /** How the connection to the proxy is opened. */
  readonly proxy: buildConnector.BuildOptions & { readonly timeout: number };
  /** TLS with the target, inside the tunnel. */
  readonly target: buildConnector.BuildOptions & { readonly timeout: number; readonly allowH2: boolean };
  /** For each request: its agent knows none that hold for all. */
  readonly timeouts: Pick<Dispatcher.DispatchOptions, 'headersTimeout' | 'bodyTimeout'>;
}

/** Sends through a SOCKS5 proxy, which looks up the names of targets itself. */
export function socksAgent(proxy: URL, { proxy: first, target, timeouts }: SocksOptions): Dispatcher {
  const { allowH2, ...requestTls } = target;
  const open = buildConnector({ ...first, allowH2: false });
  const options = {
    // It hands on an IPv6 address in brackets.
    connect: (place: buildConnector.Options, done: buildConnector.Callback) =>
      open({ ...place, hostname: plainHost(place.hostname), host: plainHost(place.hostname) }, done),
    connectTimeout: first.timeout,
    requestTls: { ...requestTls, ALPNProtocols: allowH2 ? ['h2', 'http/1.1'] : ['http/1.1'] },
  };
  const agent = withoutWarning(() => new Socks5ProxyAgent(proxy.href, options));
  // It takes no bound on how long a connection is idle: each carries one request.
  const own = { ...timeouts, reset: true };
  return agent.compose((dispatch) => (request, handler) => dispatch({ ...request, ...own }, handler));
}

/** The agent warns once of being experimental: whoever runs the suites can do nothing about that. */
function withoutWarning<T>(make: () => T): T {
  const own = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = () => {};
  try {
    return make();
  } finally {
    if (own !== undefined) Object.defineProperty(process, 'emitWarning', own);
  }
}
