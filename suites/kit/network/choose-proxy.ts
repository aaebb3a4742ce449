import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Proxies } from '../model/network.ts';

/** The proxy of an origin; undefined where it is reached without one. */
export function proxyFor(origin: string, proxies: Proxies | undefined): URL | undefined {
  if (proxies === undefined) return undefined;
  const { protocol, hostname, port } = new URL(origin);
  const proxy = protocol === 'https:' ? proxies.https : proxies.http;
  if (proxy === undefined) return undefined;
  const host = plainHost(hostname);
  if (!proxies.forLoopback && isLoopback(host)) return undefined;
  const place = { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  return isExcepted(place, proxies.except) ? undefined : new URL(proxy);
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
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isIP(host) !== 0 && isIn(host, LOOPBACK);
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

interface Place {
  readonly host: string;
  readonly port: number;
}

/** `list`: names with all below them, addresses, blocks of addresses, each with or without a port, or `*`. */
function isExcepted({ host, port }: Place, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    const { name, only } = entryOf(entry);
    if (name === '' || (only !== undefined && only !== port)) return false;
    return name === '*' || covers(name, host);
  });
}

/** An IPv6 address has a port only after brackets. */
function entryOf(entry: string): { readonly name: string; readonly only: number | undefined } {
  const [, inBrackets, alone, port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = plainHost(inBrackets ?? alone ?? entry);
  return { name, only: port === undefined ? undefined : Number(port) };
}

function covers(name: string, host: string): boolean {
  if (isIP(host) !== 0) return name === host || (isIP(addressIn(name)) !== 0 && isIn(host, [name]));
  const domain = name.replace(/^\*?\./, '');
  return host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*'));
}

function addressIn(block: string): string {
  return block.split('/', 1)[0] ?? '';
}

function isIn(address: string, blocks: readonly string[]): boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', bits] = block.split('/');
    const family = familyOf(network);
    const most = family === 'ipv6' ? 128 : 32;
    const prefix = bits === undefined ? most : Number(bits);
    if (Number.isInteger(prefix) && prefix >= 0 && prefix <= most) list.addSubnet(network, prefix, family);
  }
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
