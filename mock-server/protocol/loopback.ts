import { once } from 'node:events';
import type { IncomingHttpHeaders, Server } from 'node:http';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether an address or a name is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Listens, and tells where. Rejects with Node's error where it cannot. */
export async function listening(server: Server, host: string, port: number) {
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { port: bound, origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` };
}

/** Whether a Host header names another machine: a web page can have a name of its own lead to a loopback address. */
export function isForeignHost(host = ''): boolean {
  return !isLoopback(host.replace(/:\d*$/, ''));
}

/**
 * Whether a browser says of a request that a page sent it whose origin is no own one: any page that a user of this machine
 * looks at can send requests to a loopback address.
 */
export function isOfOtherPage(
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  isOwn: (origin: string) => boolean,
): boolean {
  if (origin !== undefined) return !isOwn(origin);
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Whether a page of this machine has this origin. */
export function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}
