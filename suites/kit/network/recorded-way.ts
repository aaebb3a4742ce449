import type { RecordedWay } from '../model/journal.ts';
import { addressOf, type Network, type ResolvedHost, type TlsFiles } from '../model/network.ts';
import { lookupFor, portOf, type Route, routeTo } from './route.ts';

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
