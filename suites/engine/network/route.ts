import { BlockList, isIP } from 'node:net';
import type { RecordedWay } from '../model/entry-schema.ts';
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
  return (!forLoopback && isLoopback(host)) || isExcepted(host, portOf(origin), except);
}

/** Whether it is this machine, whatever its name service says (RFC 6761). */
function isLoopback(host: string): boolean {
  return /^(?:.+\.)?localhost$/.test(host) || isInBlock('127.0.0.0/8', host) || host === '::1';
}

/** `list`: names with all below them, addresses, blocks of addresses, each with or without a port, or `*`. */
function isExcepted(host: string, port: number, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    // An IPv6 address has a port only after brackets.
    const [, inBrackets, alone, only] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
    const name = plainHost(inBrackets ?? alone ?? entry);
    if (name === '' || (only !== undefined && Number(only) !== port)) return false;
    return name === '*' || (isIP(host) === 0 ? isBelow(name, host) : isInBlock(name, host));
  });
}

function isBelow(name: string, host: string): boolean {
  const domain = name.replace(/^\*?\./, '');
  return host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*'));
}

/** `block`: `10.0.0.0/8`, or an address alone. */
function isInBlock(block: string, address: string): boolean {
  const [family, most] = isIP(address) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
  const [network = '', bits = String(most)] = block.split('/');
  const isBlock = isIP(network) !== 0 && isIP(network) === isIP(address) && /^\d+$/.test(bits);
  if (!isBlock || Number(bits) > most) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
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
 * Who may hold answers back on the way to a base URL: a proxy that reads each request and sends one of its own. Targets
 * with TLS have a tunnel, which passes each byte on when it comes.
 */
export function bufferedBy(baseUrl: string, network: Network = {}): string | undefined {
  const { origin, proxy } = routeTo(addressOf(baseUrl), network);
  if (proxy === undefined || origin.protocol === 'https:') return undefined;
  return `the proxy ${placeOfUrl(proxy)}`;
}

/** What a journal says of the way to a target, without a secret; undefined where there is nothing to say. */
export function recordedWay(baseUrl: string, network: Network = {}): RecordedWay | undefined {
  const { proxies, tls } = network;
  const { ca, cert, certKey } = tls?.files ?? {};
  const { proxy } = routeTo(addressOf(baseUrl), network);
  // With its port: that which a scheme usually has differs between programs.
  const recorded = proxy && {
    url: `${proxy.protocol}//${placeOfUrl(proxy)}`,
    credentials: proxy.username !== '',
  };
  const way: RecordedWay = {
    ...(proxies !== undefined && { proxy: recorded ?? 'direct' }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert: { file: cert, passphrase: tls?.passphrase !== undefined } }),
    ...(certKey !== undefined && { certKey }),
  };
  return Object.keys(way).length === 0 ? undefined : way;
}
