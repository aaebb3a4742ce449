import { BlockList, isIP } from 'node:net';
import type { Proxies } from '../model/network.ts';

/**
 * The proxy of an origin; undefined where it is reached without one. undici's EnvHttpProxyAgent chooses too, but says to
 * nobody what it chose, and knows no blocks of addresses.
 */
export function proxyFor(origin: string, proxies: Proxies | undefined): URL | undefined {
  if (proxies === undefined) return undefined;
  const url = new URL(origin);
  const proxy = url.protocol === 'https:' ? proxies.https : proxies.http;
  if (proxy === undefined) return undefined;
  const host = plainHost(url.hostname);
  if (!proxies.forLoopback && isLoopback(host)) return undefined;
  return isExcepted(host, portOf(url), proxies.except) ? undefined : new URL(proxy);
}

const USUAL_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'socks5:': 1080 };

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (USUAL_PORTS[protocol] ?? 80) : Number(port);
}

/** A host as names and addresses are compared: without brackets, and without the dot of the root. */
export function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
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
