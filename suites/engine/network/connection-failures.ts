import { SECRET_VARIABLES } from '../model/exchange.ts';
import { placeOfUrl, type Route } from './route.ts';

/** How the reason of a request begins that found nothing listening. */
export const CONNECTION_REFUSED = 'connection refused';

/**
 * What people meet before a request is sent, and the way out; the first that fits is said. By codes of Node, OpenSSL and
 * undici, and `PROXY_407`, the status of a proxy that opens no tunnel, each after `proxy` if the connection to a proxy failed.
 * `{place}`: the side that failed.
 */
const TROUBLES: Readonly<Record<string, string>> = {
  'PROXY_40[17]$': '{place} requires credentials ({code}): does {login} hold the right USER:PASSWORD?',
  PROXY_:
    '{place} refused a tunnel to {target} ({code}): is the base URL right, and does the proxy allow it? --no-proxy {host} bypasses it',
  'SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)':
    'TLS: the certificate of {place} is not trusted here: pass this certificate, or that of its authority, with --ca FILE',
  'CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$':
    'TLS: the certificate of {place} is not valid today ({code}): renew it, or set the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'TLS: the certificate of {place} is for another name: use a host name in the certificate',
  'ALERT_(?:BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_|ACCESS_DENIED)':
    'TLS: {place} requires a valid client certificate ({code}): pass it with --cert FILE --cert-key FILE',
  'ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$':
    'TLS: {place} does not speak TLS: does its URL begin with http://?',
  '^proxy ECONNREFUSED$': '{place} refused the connection: does it run?',
  ECONNREFUSED: CONNECTION_REFUSED,
  'ENOTFOUND|EAI_AGAIN': 'no such host: {place} has no address: check the name',
  'TIMEDOUT$|_TIMEOUT$':
    'no connection: {place} does not react: is the address right, and does a firewall let it through?',
  '': 'no connection to {place}: {code}',
};

/** Why a request was not sent, in one line with the way out. It shows no credentials. */
export function unsentReason(error: Error, route: Route): string {
  const code = codeOf(error);
  const { origin, proxy, login = SECRET_VARIABLES.proxyAuth } = route;
  const failing = concernsProxy(error, route) ? proxy : undefined;
  const said = failing === undefined ? code : `proxy ${code}`;
  const [, line = ''] = Object.entries(TROUBLES).find(([pattern]) => new RegExp(pattern).test(said)) ?? [];
  const words: Readonly<Record<string, string>> = {
    code: code.replace('PROXY_', ''),
    place: failing === undefined ? placeOfUrl(origin) : `the proxy ${placeOfUrl(failing)}`,
    target: placeOfUrl(origin),
    host: origin.hostname,
    login,
  };
  return line.replaceAll(/\{(\w+)\}/g, (_, name: string) => words[name] ?? name);
}

export function codeOf(error: Error): string {
  // With which status a proxy opened no tunnel, or did not forward, undici says only in words.
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message) ?? [];
  if (status !== undefined) return `PROXY_${status}`;
  const { name, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const isOfCause = code === undefined || name.includes('Proxy');
  return cause instanceof Error && isOfCause ? codeOf(cause) : (code ?? name);
}

/** Whether the connection to the proxy failed, and not that from the proxy to the target. */
function concernsProxy(error: Error, { origin, proxy }: Route): boolean {
  if (proxy === undefined) return false;
  // A target behind a proxy is looked up and reached by the proxy: only TLS with the target itself can fail here.
  const isOfTls = /^ERR_(?:SSL|TLS)_|^EPROTO$|CERT|^UNABLE_TO_/.test(codeOf(error));
  return !isOfTls || origin.protocol === 'http:' || error.name === 'SecureProxyConnectionError';
}

/**
 * Whether no service can have read the request that an error ended, although its connection stood: the other side ended
 * the handshake for the certificate of the client, which TLS 1.3 says only after it, or a proxy refused to pass it on.
 */
export function isUnsent(error: Error): boolean {
  return /^PROXY_|ALERT_(?:CERTIFICATE_|BAD_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(codeOf(error));
}
