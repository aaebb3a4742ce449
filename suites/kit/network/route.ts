import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import type { Address, Network, ResolvedHost } from '../model/network.ts';
import { plainHost, proxyFor } from './choose-proxy.ts';

/**
 * The way to an address. `tunnel`: the proxy passes bytes on and sees none of what TLS hides; one that speaks SOCKS does
 * nothing else. `forward`: it reads each request, sends one of its own, and may hold the answer back.
 */
export type Route =
  | { readonly kind: 'direct'; readonly origin: URL }
  | { readonly kind: 'socket'; readonly origin: URL; readonly socketPath: string }
  | { readonly kind: 'tunnel' | 'forward'; readonly origin: URL; readonly proxy: URL };

export function routeTo({ origin: text, socketPath }: Address, { proxies }: Network): Route {
  const origin = new URL(text);
  if (socketPath !== undefined) return { kind: 'socket', origin, socketPath };
  const proxy = proxyFor(text, proxies);
  if (proxy === undefined) return { kind: 'direct', origin };
  const tunnels = origin.protocol === 'https:' || proxies?.tunnelsHttp === true || isSocks(proxy);
  return { kind: tunnels ? 'tunnel' : 'forward', origin, proxy };
}

/** Host and port of a URL, as messages show them: never its credentials. */
export function placeOfUrl(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return USUAL_PORTS[protocol] ?? 80;
}

const USUAL_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'socks5:': 1080 };

export function isSocks({ protocol }: URL): boolean {
  return protocol === 'socks5:';
}

/** Where a connection to a URL is opened, given what `--resolve` says. */
export function resolvedHost(url: URL, resolve: readonly ResolvedHost[] = []): string {
  const host = plainHost(url.hostname);
  const found = resolve.find((each) => plainHost(each.host) === host && each.port === portOf(url));
  return found?.address ?? host;
}

/** A lookup that answers with the address that `--resolve` names; undefined where the name service decides. */
export function lookupFor(url: URL, resolve?: readonly ResolvedHost[]): LookupFunction | undefined {
  const address = resolvedHost(url, resolve);
  if (address === plainHost(url.hostname)) return undefined;
  const family = isIPv6(address) ? 6 : 4;
  return (_hostname, { all }, callback) =>
    all === true ? callback(null, [{ address, family }]) : callback(null, address, family);
}
