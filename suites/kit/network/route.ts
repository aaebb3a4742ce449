import { type LookupFunction, isIPv6 } from 'node:net';
import type { RecordedWay } from '../model/journal.ts';
import { type Address, type Network, type ResolvedHost, addressOf, type TlsFiles } from '../model/network.ts';
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

/** What a journal says of the way to a target; undefined where there is nothing to say. */
export function recordedWay(baseUrl: string, network: Network = {}): RecordedWay | undefined {
  const route = routeTo(addressOf(baseUrl), network);
  const proxy = proxyIn(route, network);
  const resolve = resolvedIn(route, network);
  const way: RecordedWay = {
    ...(proxy !== undefined && { proxy }),
    ...filesIn(network.tls),
    ...(resolve.length > 0 && { resolve }),
  };
  return Object.keys(way).length === 0 ? undefined : way;
}

function proxyIn(route: Route, { proxies }: Network): RecordedWay['proxy'] {
  if (!('proxy' in route)) return proxies === undefined || route.kind === 'socket' ? undefined : 'direct';
  const { proxy, kind } = route;
  // Without its credentials, and with its port: that which a scheme usually has differs between programs.
  const url = `${proxy.protocol}//${proxy.hostname}:${portOf(proxy)}`;
  return { url, credentials: proxy.username !== '', tunnel: kind === 'tunnel' };
}

function filesIn(tls: TlsFiles | undefined): RecordedWay {
  const { files: { ca, cert, certKey } = {}, pfx, passphrase } = tls ?? {};
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && {
      cert: { file: cert, isPfx: pfx !== undefined, passphrase: passphrase !== undefined },
    }),
    ...(certKey !== undefined && { certKey }),
  };
}

/** What was said of the place that the connection goes to. */
function resolvedIn(route: Route, { resolve = [] }: Network): readonly string[] {
  const url = 'proxy' in route ? route.proxy : route.origin;
  return resolve.filter((entry) => lookupFor(url, [entry]) !== undefined).map(resolvedText);
}

function resolvedText({ host, port, address }: ResolvedHost): string {
  return `${host}:${port}:${address.includes(':') ? `[${address}]` : address}`;
}
