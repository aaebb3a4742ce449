import { SECRET_VARIABLES } from '../model/exchange.ts';
import { placeOfUrl, type Route } from './route.ts';

/** How the reason of a request begins that found nothing listening. */
export const CONNECTION_REFUSED = 'connection refused';

/**
 * What can go wrong before a request is sent, and the way out; the first that fits is said. By codes of Node, OpenSSL and
 * undici, and `PROXY_407`, the status of a proxy that opens no tunnel; after `proxy`, only of the connection to a proxy, and
 * after `login`, only of a proxy that was given credentials. `{place}`: the side that failed; `{its URL}`: what names it.
 */
const TROUBLES: Readonly<Record<string, string>> = {
  '^login PROXY_40[17]$':
    '{place} refused its credentials ({said}): check {login}, or those in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY',
  '^PROXY_40[17]$': '{place} wants credentials ({said}): set {login} to USER:PASSWORD',
  '^PROXY_5':
    '{place} could not reach {target} ({said}): is the base URL right, and may the proxy connect to it?',
  '^PROXY_':
    '{place} refuses a tunnel to {target} ({said}): ask for leave, or go past it with --no-proxy {host}',
  'SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)':
    'TLS: the certificate of {place} is not trusted here: pass it, or that of the authority that signed it, with --ca FILE',
  '^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$':
    'TLS: the certificate of {place} is not valid today ({code}): renew it, or set the clock of this machine',
  '^ERR_TLS_CERT_ALTNAME_INVALID$':
    'TLS: the certificate of {place} is for another name: use a name that it has',
  ALERT_CERTIFICATE_REQUIRED$:
    'TLS: {place} wants a certificate of the client: pass it with --cert FILE --cert-key FILE',
  'ALERT_(?:BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_(?:UNKNOWN|EXPIRED)|ACCESS_DENIED)$':
    'TLS: {place} refused the certificate of the client ({code}): does it come from the right authority?',
  ALERT_NO_APPLICATION_PROTOCOL$: 'TLS: {place} does not speak HTTP/1.1: pass --http2',
  '^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$':
    'TLS: {place} does not speak TLS: does {its URL} begin with http://?',
  '^ERR_SSL_|^EPROTO$': 'TLS: the handshake with {place} failed ({code})',
  '^proxy ECONNREFUSED$': '{place} refused the connection: does it run?',
  '^ECONNREFUSED$': CONNECTION_REFUSED,
  '^(?:ENOTFOUND|EAI_AGAIN)$': 'no such host: {place} has no address: check the name',
  '^(?:UND_ERR_(?:CONNECT|HEADERS)_TIMEOUT|ETIMEDOUT)$':
    'no connection: {place} does not react: is the address right, and does a firewall let it through?',
  '^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$':
    'no connection: {place} closed it before a request could be sent ({code})',
  '': 'no connection: {code}',
};

/** Why a request was not sent, in one line with the way out. It shows no credentials. */
export function unsentReason(error: Error, route: Route): string {
  const code = codeOf(error);
  const { origin, proxy, login = SECRET_VARIABLES.proxyAuth } = route;
  const isProxys = concernsProxy(error, route);
  const failing = isProxys && proxy !== undefined ? proxy : origin;
  const hasLogin = proxy !== undefined && proxy.username !== '';
  const codes = [code, ...(isProxys ? [`proxy ${code}`] : []), ...(hasLogin ? [`login ${code}`] : [])];
  const [, line = ''] =
    Object.entries(TROUBLES).find(([pattern]) => codes.some((each) => new RegExp(pattern).test(each))) ?? [];
  const words: Readonly<Record<string, string>> = {
    code,
    place: (isProxys ? 'the proxy ' : '') + placeOfUrl(failing),
    'its URL': isProxys ? 'its URL' : 'the base URL',
    target: placeOfUrl(origin),
    host: origin.hostname,
    said: code.slice('PROXY_'.length),
    login,
  };
  return line.replaceAll(/\{([\w ]+)\}/g, (_, name: string) => words[name] ?? name);
}

/** The code of an error, or that of what caused it. */
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
