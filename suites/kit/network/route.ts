import type { RecordedWay } from '../model/journal.ts';
import { type Address, addressOf, type Network } from '../model/network.ts';
import { portOf, proxyFor } from './choose-proxy.ts';

/** The way to an address. */
export interface Route {
  readonly origin: URL;
  /** Absent: straight to the origin. */
  readonly proxy?: URL;
}

export function routeTo({ origin }: Address, { proxies }: Network): Route {
  const proxy = proxyFor(origin, proxies);
  return { origin: new URL(origin), ...(proxy !== undefined && { proxy }) };
}

/** Host and port of a URL, as messages show them: never its credentials. */
export function placeOfUrl(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

export function isSocks({ protocol }: URL): boolean {
  return protocol === 'socks5:';
}

/**
 * Who may hold answers back on the way to a base URL: a proxy that reads each request and sends one of its own. Targets
 * with TLS and SOCKS have a tunnel, which passes each byte on when it comes.
 */
export function bufferedBy(baseUrl: string, network: Network = {}): string | undefined {
  const { origin, proxy } = routeTo(addressOf(baseUrl), network);
  if (proxy === undefined || isSocks(proxy) || origin.protocol === 'https:') return undefined;
  return `the proxy ${placeOfUrl(proxy)}`;
}

/** What a journal says of the way to a target, without a secret; undefined where there is nothing to say. */
export function recordedWay(baseUrl: string, network: Network = {}): RecordedWay | undefined {
  const { proxies, tls } = network;
  const { ca, cert, certKey } = tls?.files ?? {};
  const { proxy } = routeTo(addressOf(baseUrl), network);
  const way: RecordedWay = {
    ...(proxies !== undefined && { proxy: proxy === undefined ? 'direct' : recordedProxy(proxy) }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert: { file: cert, passphrase: tls?.passphrase !== undefined } }),
    ...(certKey !== undefined && { certKey }),
  };
  return Object.keys(way).length === 0 ? undefined : way;
}

/** With its port: that which a scheme usually has differs between programs. */
function recordedProxy(proxy: URL): { readonly url: string; readonly credentials: boolean } {
  return { url: `${proxy.protocol}//${placeOfUrl(proxy)}`, credentials: proxy.username !== '' };
}
