import { BlockList, isIP } from 'node:net';
import { type Address, addressOf, type Network, type Proxies } from '../model/network.ts';

/** The way to an address. */
export interface Route {
  readonly origin: URL;
  /** Absent: straight to the origin. */
  readonly proxy?: URL;
  /** Where the credentials for proxies are. Absent: in the usual variable. */
  readonly login?: string;
}

/**
 * undici's EnvHttpProxyAgent chooses a proxy too, but says to nobody what it chose, knows no blocks of addresses, and sends
 * through it what goes to this machine.
 */
export function routeTo(address: Address, { proxies }: Network): Route {
  const origin = new URL(address.origin);
  const proxy = origin.protocol === 'https:' ? proxies?.https : proxies?.http;
  if (proxies === undefined || proxy === undefined || isReachedDirectly(origin, proxies)) return { origin };
  return { origin, proxy: new URL(proxy), ...(proxies.login !== undefined && { login: proxies.login }) };
}

function isReachedDirectly(origin: URL, { forLoopback, except }: Proxies): boolean {
  const host = plainHost(origin.hostname);
  if (!forLoopback && LOOPBACK.test(host)) return true;
  return except.split(/[\s,]+/).some((entry) => {
    // An IPv6 address has a port only after brackets.
    const [, name = entry, port] = /^(\[.+\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    return (port === undefined || Number(port) === portOf(origin)) && isBelow(plainHost(name), host);
  });
}

/** This machine, whatever its name service says (RFC 6761). */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1)$/;

/** `name`: a name with all below it, an address, a block of addresses such as `10.0.0.0/8`, or `*`. */
function isBelow(name: string, host: string): boolean {
  const domain = name.replace(/^\*?\./, '');
  if (name === '*' || (domain !== '' && (host === domain || host.endsWith(`.${domain}`)))) return true;
  const [, network = '', bits] = /^(.+?)(?:\/(\d{1,3}))?$/.exec(name) ?? [];
  const [family, most] = isIP(host) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
  if (isIP(host) === 0 || isIP(network) !== isIP(host) || Number(bits ?? most) > most) return false;
  const block = new BlockList();
  block.addSubnet(network, Number(bits ?? most), family);
  return block.check(host, family);
}

export function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

/** A host as names and addresses are compared: without brackets, and without the dot of the root. */
export function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** Host and port of a URL, as messages show them: never its credentials. */
export function placeOfUrl(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

/**
 * Who may hold answers back on the way to a base URL, or answer itself: a proxy that reads each request and sends one of
 * its own. Targets with TLS have a tunnel, which passes each byte on when it comes.
 */
export function bufferedBy(baseUrl: string, network: Network = {}): string | undefined {
  const { origin, proxy } = routeTo(addressOf(baseUrl), network);
  if (proxy === undefined || origin.protocol === 'https:') return undefined;
  return `the proxy ${placeOfUrl(proxy)}`;
}
