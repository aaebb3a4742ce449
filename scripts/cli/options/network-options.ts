import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { errorCode } from '../../../suites/kit/files/read-json-file.ts';
import {
  addressOf,
  type Network,
  type Proxies,
  type ResolvedHost,
  type TlsFiles,
} from '../../../suites/kit/model/network.ts';
import { UsageError } from '../terminal/exit.ts';
import type { NetworkFlags } from './network-flags.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How requests get to the URLs of a run; undefined where nothing is said about it.
 * @throws {UsageError} Given a file that cannot be used, or options that contradict each other; no message shows a secret.
 */
export async function resolveNetwork(
  flags: NetworkFlags,
  environment: Environment,
  urls: readonly string[],
): Promise<Network | undefined> {
  const proxies = proxiesOf(flags, environment);
  const tls = tlsOf(flags, environment);
  const resolve = (flags.resolve ?? []).map(resolvedHost);
  const network: Network = {
    ...(proxies !== undefined && { proxies }),
    ...(tls !== undefined && { tls }),
    ...(resolve.length > 0 && { resolve }),
    ...(flags.http2 === true && { http2: true }),
  };
  if (Object.keys(network).length === 0) return undefined;
  if (tls !== undefined) await rejectBadFiles(tls, flags);
  await rejectUnnamed(network, urls);
  for (const entry of resolve) await rejectIdle(entry, network, urls);
  return network;
}

/** @throws {UsageError} Given an option without that which it is for. */
export function rejectNetworkFlags(flags: NetworkFlags, needed: string): void {
  const { proxy, noProxy, proxyTunnel, ca, cert, certKey, resolve, http2 } = flags;
  const ways = { proxy, 'no-proxy': noProxy, 'proxy-tunnel': proxyTunnel };
  const given = { ...ways, ca, cert, 'cert-key': certKey, resolve, http2 };
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new UsageError(`--${name} requires ${needed}`);
}

/** Either spelling; the lower case first, as in other programs. */
function variable(name: string, environment: Environment): string | undefined {
  const value = environment[name.toLowerCase()] ?? environment[name];
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

function proxiesOf(flags: NetworkFlags, environment: Environment): Proxies | undefined {
  const except = flags.noProxy ?? variable('NO_PROXY', environment) ?? '';
  const credentials = environment['CHAT_PROXY_AUTH']?.trim() ?? '';
  const named = flags.proxy === undefined ? undefined : proxyOf(flags.proxy, credentials);
  const from = (name: string): string | undefined => {
    const text = variable(name, environment);
    return text === undefined ? undefined : withCredentials(proxyUrl(text, name), credentials);
  };
  const tunnelsHttp = flags.proxyTunnel === true;
  if (named !== undefined) return { http: named, https: named, except, forLoopback: true, tunnelsHttp };
  const http = from('HTTP_PROXY') ?? from('ALL_PROXY');
  const https = from('HTTPS_PROXY') ?? from('ALL_PROXY');
  if (http === undefined && https === undefined) {
    if (tunnelsHttp) throw new UsageError('--proxy-tunnel requires a proxy: name it with --proxy');
    return undefined;
  }
  return {
    ...(http !== undefined && { http }),
    ...(https !== undefined && { https }),
    except,
    forLoopback: false,
    tunnelsHttp,
  };
}

function proxyOf(text: string, credentials: string): string {
  const url = proxyUrl(text, '--proxy');
  if (url.username === '' && url.password === '') return withCredentials(url, credentials);
  throw new UsageError(
    '--proxy must not contain credentials, which other users can see: set CHAT_PROXY_AUTH to USER:PASSWORD',
  );
}

function withCredentials(url: URL, credentials: string): string {
  if (url.username === '' && credentials !== '') {
    const [user = '', ...password] = credentials.split(':');
    url.username = encodeURIComponent(user);
    url.password = encodeURIComponent(password.join(':'));
  }
  return url.href;
}

/** A SOCKS5 proxy by any of its names, which differ for programs that look up hosts themselves. */
const SOCKS5 = /^(?:socks|socks5|socks5h):(?=\/\/)/i;

const PROXY_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:']);

/** `source`: where it comes from. Its credentials are secrets, so no message shows it. */
function proxyUrl(text: string, source: string): URL {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text.replace(SOCKS5, 'socks5:') : `http://${text}`;
  if (!URL.canParse(whole))
    throw new UsageError(`${source} is not the URL of a proxy, such as http://host:3128`);
  const url = new URL(whole);
  if (url.hostname !== '' && PROXY_SCHEMES.has(url.protocol)) return url;
  throw new UsageError(`${source} must begin with http://, https:// or socks5://`);
}

function tlsOf({ ca, cert, certKey }: NetworkFlags, environment: Environment): TlsFiles | undefined {
  if (certKey !== undefined && cert === undefined)
    throw new UsageError('--cert-key requires --cert: the certificate that it belongs to');
  if (ca === undefined && cert === undefined) return undefined;
  const passphrase = environment['CHAT_CERT_PASSPHRASE'];
  return {
    ...(ca !== undefined && { ca: pemOf(ca, '--ca') }),
    ...(cert !== undefined && clientCertificate(cert, certKey)),
    ...(passphrase !== undefined && passphrase !== '' && { passphrase }),
    files: {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(certKey !== undefined && { certKey }),
    },
  };
}

function clientCertificate(file: string, keyFile: string | undefined): TlsFiles {
  const bytes = bytesOf(file, '--cert');
  if (!isPem(bytes)) {
    if (keyFile !== undefined)
      throw new UsageError(`--cert ${file} is no PEM: a PFX file holds its own key, leave out --cert-key`);
    return { pfx: bytes };
  }
  const cert = bytes.toString();
  if (keyFile !== undefined) return { cert, key: pemOf(keyFile, '--cert-key') };
  if (cert.includes('PRIVATE KEY-----')) return { cert, key: cert };
  throw new UsageError(`--cert ${file} holds no private key: pass it with --cert-key FILE`);
}

function pemOf(file: string, flag: string): string {
  const bytes = bytesOf(file, flag);
  if (isPem(bytes)) return bytes.toString();
  throw new UsageError(`${flag} ${file} is no PEM file: it must have a line -----BEGIN …-----`);
}

function isPem(bytes: Buffer): boolean {
  return bytes.includes('-----BEGIN ');
}

function bytesOf(file: string, flag: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`cannot read ${flag} ${file} (${errorCode(error)})`);
  }
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** TLS itself leaves out the certificates that it cannot read. */
async function rejectBadFiles(tls: TlsFiles, { ca, cert }: NetworkFlags): Promise<void> {
  const { secureContextOf } = await import('../../../suites/kit/network/peer-certificate.ts');
  const { ca: authorities, ...client } = tls;
  const found = authorities?.match(CERTIFICATES) ?? [];
  const why = found.map((each) => complaintOf(() => new X509Certificate(each))).find(Boolean);
  if (authorities !== undefined && (found.length === 0 || why !== undefined))
    throw new UsageError(
      `--ca ${ca}: no certificate can be read from it${why === undefined ? '' : ` (${why})`}`,
    );
  const reason = complaintOf(() => secureContextOf(client));
  if (reason === undefined) return;
  const way = /mac verify|bad decrypt|password|passphrase/i.test(reason)
    ? `${client.passphrase === undefined ? 'set' : 'check'} its passphrase in CHAT_CERT_PASSPHRASE`
    : 'do the certificate and the key belong together?';
  throw new UsageError(`--cert ${cert} cannot be used (${reason}): ${way}`);
}

/** What OpenSSL says of a file; undefined where it can read it. */
function complaintOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function resolvedHost(text: string): ResolvedHost {
  const [, host, port, address = ''] = /^([^:]+):(\d{1,5}):\[?([^\]]+)\]?$/.exec(text) ?? [];
  if (host !== undefined && isIP(host) === 0 && isIP(address) !== 0)
    return { host, port: Number(port), address };
  throw new UsageError('--resolve must have the form HOST:PORT:ADDRESS, such as api.example:443:10.0.0.7');
}

/** A SOCKS proxy is asked for a name or an IPv4 address: undici spells an IPv6 address so that none finds it. */
async function rejectUnnamed(network: Network, urls: readonly string[]): Promise<void> {
  const { isSocks, routeTo } = await import('../../../suites/kit/network/route.ts');
  for (const url of urls) {
    const route = routeTo(addressOf(url), network);
    const { hostname, host } = route.origin;
    if ('proxy' in route && isSocks(route.proxy) && hostname.startsWith('['))
      throw new UsageError(
        `${host} cannot be reached through a SOCKS proxy: use a name in place of the IPv6 address, or go past the proxy with --no-proxy ${hostname}`,
      );
  }
}

/** An entry that nothing asks for is a slip: the run would go where the name leads. */
async function rejectIdle(entry: ResolvedHost, network: Network, urls: readonly string[]): Promise<void> {
  const { lookupFor, routeTo } = await import('../../../suites/kit/network/route.ts');
  const routes = urls.map((url) => routeTo(addressOf(url), network));
  const asks = (url: URL): boolean => lookupFor(url, [entry]) !== undefined;
  if (routes.some((route) => asks('proxy' in route ? route.proxy : route.origin))) return;
  const place = `${entry.host}:${entry.port}`;
  if (routes.some(({ origin }) => asks(origin)))
    throw new UsageError(
      `--resolve ${place} has no effect: the proxy looks up names itself; go past it with --no-proxy ${entry.host}`,
    );
  throw new UsageError(`--resolve ${place} has no effect: no URL of this run has that host and port`);
}
