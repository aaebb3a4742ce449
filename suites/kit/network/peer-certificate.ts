import { once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import {
  connect as connectSecurely,
  type PeerCertificate,
  type TLSSocket,
  createSecureContext,
  getCACertificates,
  type SecureContext,
} from 'node:tls';
import { Client } from 'undici';
import { printable } from '../evidence/printable.ts';
import type { Network, TlsFiles } from '../model/network.ts';
import { plainHost } from './choose-proxy.ts';
import { isSocks, lookupFor, portOf, type Route, resolvedHost } from './route.ts';

const LONGEST_MS = 5000;

const LONGEST_NAME = 200;

/** An alert comes with the first answer of the other side. */
const LONGEST_ALERT_MS = 1000;

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
    return await lookAt(route, whose, network, (secure) => shown(secure.getPeerCertificate()));
  } catch {
    return undefined;
  }
}

/**
 * The error with which a target ends a handshake that seemed to have ended well: TLS 1.3 refuses the certificate of the
 * client only then. Undefined where it keeps the connection.
 */
export async function lateAlert(route: Route, network: Network): Promise<Error | undefined> {
  try {
    return await lookAt(route, 'target', network, async (secure) => {
      secure.resume();
      await once(secure, 'close', { signal: AbortSignal.timeout(LONGEST_ALERT_MS) });
      return undefined;
    });
  } catch (error) {
    return error instanceof Error && error.name !== 'AbortError' ? error : undefined;
  }
}

/** Opens a connection of its own, over which nothing is sent. */
async function lookAt<T>(
  route: Route,
  whose: 'target' | 'proxy',
  network: Network,
  look: (secure: TLSSocket) => T | Promise<T>,
): Promise<T> {
  const url = whose === 'proxy' && 'proxy' in route ? route.proxy : route.origin;
  const socket = await openPlain(route, whose, network);
  const secure = secured(socket, url, network);
  socket.on('error', (error) => secure.destroy(error));
  try {
    await once(secure, 'secureConnect', { signal: AbortSignal.timeout(LONGEST_MS) });
    return await look(secure);
  } finally {
    secure.on('error', () => {}).destroy();
    socket.destroy();
  }
}

async function openPlain(route: Route, whose: 'target' | 'proxy', network: Network): Promise<Socket> {
  if (route.kind === 'socket') return connectPlain({ path: route.socketPath });
  if ('proxy' in route && whose === 'target') return tunnelled(route, network);
  const url = 'proxy' in route ? route.proxy : route.origin;
  return connectPlain({ host: resolvedHost(url, network.resolve), port: portOf(url) });
}

/** @throws {Error} Given a SOCKS proxy: the agent hands over no connection. */
async function tunnelled({ origin, proxy }: Route & { proxy: URL }, network: Network): Promise<Socket> {
  if (isSocks(proxy)) throw new Error('no connection of a SOCKS proxy can be had');
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

function secured(socket: Socket, { hostname }: URL, { tls }: Network): TLSSocket {
  return connectSecurely({
    socket,
    servername: isIP(plainHost(hostname)) === 0 ? hostname : '',
    ALPNProtocols: ['http/1.1'],
    // Only what the other side says is read; the run itself trusts no such connection.
    rejectUnauthorized: false,
    ...(tls !== undefined && { secureContext: secureContextOf(tls) }),
  });
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
  return printable([CN ?? O ?? 'without a name'].flat().join(', '), LONGEST_NAME);
}

const contexts = new WeakMap<TlsFiles, SecureContext>();

/**
 * The certificates that a target is trusted by, and those of the client; parsed once.
 * @throws {Error} Given files that are not what they should be, or a wrong passphrase.
 */
export function secureContextOf(files: TlsFiles): SecureContext {
  const known = contexts.get(files);
  if (known !== undefined) return known;
  const { ca, cert, key, pfx, passphrase } = files;
  const context = createSecureContext({
    // An authority of the user's is trusted beside the public ones: a proxy and a control URL may have others.
    ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(pfx !== undefined && { pfx: Buffer.from(pfx) }),
    ...(passphrase !== undefined && { passphrase }),
  });
  contexts.set(files, context);
  return context;
}
