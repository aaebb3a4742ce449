import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecurely, type PeerCertificate, type TLSSocket } from 'node:tls';
import { Client } from 'undici';
import type { Network } from '../model/network.ts';
import { lookupFor, portOf, type Route, resolvedHost } from './route.ts';
import { secureContextOf } from './secure-context.ts';

const LONGEST_MS = 5000;

/** What a certificate says of itself, for a message. */
export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validTo: string;
}

/**
 * The certificate that a target, or its proxy, shows. Looks at it alone, after it was not trusted: nothing is sent over
 * this connection. Undefined where it cannot be had.
 */
export async function peerCertificate(
  route: Route,
  whose: 'target' | 'proxy',
  network: Network,
): Promise<ShownCertificate | undefined> {
  try {
    const socket = await openPlain(route, whose, network);
    const url = whose === 'proxy' && 'proxy' in route ? route.proxy : route.origin;
    return await shownOver(socket, url, network);
  } catch {
    return undefined;
  }
}

async function openPlain(route: Route, whose: 'target' | 'proxy', network: Network): Promise<Socket> {
  if (route.kind === 'socket') return connectPlain({ path: route.socketPath });
  if ('proxy' in route && whose === 'target') return tunnelled(route, network);
  const url = 'proxy' in route ? route.proxy : route.origin;
  return connectPlain({ host: resolvedHost(url, network.resolve), port: portOf(url) });
}

async function tunnelled({ origin, proxy }: Route & { proxy: URL }, network: Network): Promise<Socket> {
  const lookup = lookupFor(proxy, network.resolve);
  const tls = network.tls === undefined ? {} : { secureContext: secureContextOf(network.tls) };
  const connect = { ...tls, allowH2: false, timeout: LONGEST_MS, ...(lookup !== undefined && { lookup }) };
  const client = new Client(proxy.origin, { connect, headersTimeout: LONGEST_MS });
  const { username, password } = proxy;
  const credentials = [username, password].map((each) => decodeURIComponent(each)).join(':');
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const headers = username === '' ? {} : { 'proxy-authorization': authorization };
  const { socket } = await client.connect({ path: `${origin.hostname}:${portOf(origin)}`, headers });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici hands over the socket itself
  return socket as Socket;
}

async function shownOver(socket: Socket, url: URL, { tls }: Network): Promise<ShownCertificate> {
  const secure: TLSSocket = connectSecurely({
    socket,
    servername: /^[\d.]+$|:/.test(url.hostname) ? '' : url.hostname,
    // Only the certificate is read; the run itself trusts no such connection.
    rejectUnauthorized: false,
    ...(tls !== undefined && { secureContext: secureContextOf(tls) }),
  });
  socket.on('error', (error) => secure.destroy(error));
  try {
    await once(secure, 'secureConnect', { signal: AbortSignal.timeout(LONGEST_MS) });
    return shown(secure.getPeerCertificate());
  } finally {
    secure.on('error', () => {}).destroy();
    socket.destroy();
  }
}

function shown({
  subject,
  issuer,
  valid_from: validFrom,
  valid_to: validTo,
}: PeerCertificate): ShownCertificate {
  return { subject: nameOf(subject), issuer: nameOf(issuer), validFrom, validTo };
}

function nameOf({ CN, O }: PeerCertificate['subject']): string {
  return [CN ?? O ?? 'without a name'].flat().join(', ');
}
