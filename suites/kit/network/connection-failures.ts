import { printable } from '../evidence/printable.ts';
import { shellWord } from '../evidence/shell-text.ts';
import type { ShownCertificate } from './peer-certificate.ts';
import { proxyRefusal, refusedStatus } from './proxy-refusals.ts';
import { placeOfUrl, portOf, type Route } from './route.ts';

/** How the reason of a request begins that found nothing listening. */
export const CONNECTION_REFUSED = 'connection refused';

/** What went wrong before a request could be sent, and the way out, in one line. */
export interface ConnectionFailure {
  readonly reason: string;
  /** Present: the line ends with what the certificate of this side says. */
  readonly certificateOf?: 'target' | 'proxy';
}

/** Undefined: the error says nothing about the way to the target. */
export function connectionFailureOf(error: Error, route: Route): ConnectionFailure | undefined {
  const code = codeOf(error);
  const isProxys = 'proxy' in route && concernsProxy(error, route);
  const side = isProxys ? route.proxy : route.origin;
  const place = isProxys ? `the proxy ${placeOfUrl(route.proxy)}` : placeOfUrl(route.origin);
  return (
    proxyFailure(error, code, route) ??
    certificateFailure(error, code, place, isProxys) ??
    handshakeFailure(code, place, side.protocol === 'https:') ??
    socketFailure(code, place, isProxys, route)
  );
}

/** The code of an error, or that of what caused it. */
export function codeOf(error: Error): string {
  const { cause } = error;
  if (cause instanceof Error && (error.name.includes('Proxy') || !hasCode(error))) return codeOf(cause);
  return hasCode(error) ? error.code : error.name;
}

function hasCode(error: Error): error is Error & { readonly code: string } {
  return 'code' in error && typeof error.code === 'string';
}

/** Whether the connection to the proxy failed, and not that from the proxy to the target. */
function concernsProxy(error: Error, { proxy }: Route & { proxy: URL }): boolean {
  if (error.name === 'SecureProxyConnectionError') return true;
  const { cause } = error;
  const causes = [error, ...(cause instanceof Error ? [cause] : [])];
  const codes = causes.map(codeOf);
  // A target behind a proxy is looked up and reached by the proxy: only TLS with the target itself can fail here.
  return codes.every((code) => !isOfTls(code)) || (proxy.protocol === 'https:' && namesProxy(causes, proxy));
}

function namesProxy(errors: readonly Error[], { hostname }: URL): boolean {
  return errors.some((error) => 'host' in error && error.host === hostname);
}

function isOfTls(code: string): boolean {
  return code in UNTRUSTED || code in INVALID || /^ERR_(?:SSL|TLS)_|^EPROTO$|CERT/.test(code);
}

function proxyFailure(error: Error, code: string, route: Route): ConnectionFailure | undefined {
  const reason = proxyRefusal(error, code, route);
  return reason === undefined ? undefined : { reason };
}

const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'is signed by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is signed by an authority that is not trusted here',
};

const INVALID: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired: renew it',
  CERT_NOT_YET_VALID: 'is not valid yet: check the clock of this machine',
  CERT_REVOKED: 'was revoked: replace it',
};

function certificateFailure(
  error: Error,
  code: string,
  place: string,
  isProxys: boolean,
): ConnectionFailure | undefined {
  const certificateOf = isProxys ? 'proxy' : 'target';
  const untrusted = UNTRUSTED[code];
  if (untrusted !== undefined) {
    const pass = code === 'DEPTH_ZERO_SELF_SIGNED_CERT' ? 'it' : 'the certificate of that authority';
    return {
      reason: `TLS: the certificate of ${place} ${untrusted}: pass ${pass} with --ca FILE`,
      certificateOf,
    };
  }
  const invalid = INVALID[code];
  if (invalid !== undefined) return { reason: `TLS: the certificate of ${place} ${invalid}`, certificateOf };
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return undefined;
  const names = namesIn(error);
  return {
    reason: `TLS: the certificate of ${place} is for ${names}: use a name that it has, and --resolve NAME:PORT:ADDRESS if that leads elsewhere`,
  };
}

function namesIn(error: Error): string {
  const { cause } = error;
  if (!('cert' in error)) return cause instanceof Error ? namesIn(cause) : 'another name';
  const { cert } = error;
  const has = typeof cert === 'object' && cert !== null && 'subjectaltname' in cert;
  if (!has) return 'another name';
  const names = String(cert.subjectaltname).split(', ');
  return names.map((name) => shellWord(printable(name.replace(/^(?:DNS|IP Address):/, ''), 200))).join(', ');
}

const CLIENT_CERTIFICATE =
  /ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED|ACCESS_DENIED)$/;

/**
 * Whether no service can have read the request that an error ended, although its connection stood: the other side ended
 * the handshake for the certificate of the client, which TLS 1.3 says only after it, or a proxy refused to pass it on.
 */
export function isUnsent(error: Error): boolean {
  return CLIENT_CERTIFICATE.test(codeOf(error)) || refusedStatus(error) !== undefined;
}

function handshakeFailure(code: string, place: string, isSecure: boolean): ConnectionFailure | undefined {
  if (code.endsWith('ALERT_CERTIFICATE_REQUIRED'))
    return {
      reason: `TLS: ${place} wants a certificate of the client: pass it with --cert FILE --cert-key FILE`,
    };
  if (CLIENT_CERTIFICATE.test(code))
    return {
      reason: `TLS: ${place} refused the certificate of the client (${code}): does it come from the right authority?`,
    };
  if (code.endsWith('ALERT_NO_APPLICATION_PROTOCOL'))
    return { reason: `TLS: ${place} does not speak HTTP/1.1: pass --http2` };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return { reason: `TLS: ${place} does not speak TLS: does the base URL begin with http://?` };
  if (code.endsWith('ALERT_HANDSHAKE_FAILURE'))
    return {
      reason: `TLS: ${place} ended the handshake (${code}): it may want a certificate of the client (--cert FILE --cert-key FILE)`,
    };
  if (code === 'ECONNRESET' && isSecure)
    return {
      reason: `TLS: ${place} cut the connection before it was secure: does it speak TLS at this port, and does it want a certificate of the client (--cert FILE)?`,
    };
  return code.startsWith('ERR_SSL_') || code === 'EPROTO'
    ? { reason: `TLS: the handshake with ${place} failed (${code})` }
    : undefined;
}

function socketFailure(
  code: string,
  place: string,
  isProxys: boolean,
  route: Route,
): ConnectionFailure | undefined {
  if (route.kind === 'socket' && (code === 'ENOENT' || code === 'ENOTSOCK' || code === 'EACCES'))
    return { reason: socketReason(code, route.socketPath) };
  switch (code) {
    case 'ECONNREFUSED':
      return { reason: isProxys ? `${place} refused the connection: does it run?` : CONNECTION_REFUSED };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { reason: isProxys ? `no such host: ${place} has no address` : noSuchHost(route) };
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return {
        reason: `no connection: ${place} does not react: is the address right, and does a firewall let it through?`,
      };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return { reason: `no connection: no way leads to ${place} (${code})` };
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return { reason: `no connection: ${place} closed it before a request could be sent (${code})` };
    case 'UND_ERR_HEADERS_TIMEOUT':
      return isProxys ? { reason: `no connection: ${place} does not answer` } : undefined;
    default:
      return undefined;
  }
}

function noSuchHost({ origin }: Route): string {
  const { hostname } = origin;
  return `no such host: ${hostname} has no address: check the name, or pass --resolve ${hostname}:${portOf(origin)}:ADDRESS`;
}

function socketReason(code: string, path: string): string {
  if (code === 'EACCES') return `no connection: this user may not open the socket ${path}`;
  if (code === 'ENOTSOCK') return `no connection: ${path} is not a socket`;
  return `${CONNECTION_REFUSED}: there is no socket ${path}`;
}

/** What a certificate says, after the line of the failure with it. */
export function certificateText({ subject, issuer, validFrom, validTo }: ShownCertificate): string {
  return ` (it is for ${subject}, issued by ${issuer}, valid from ${validFrom} to ${validTo})`;
}
