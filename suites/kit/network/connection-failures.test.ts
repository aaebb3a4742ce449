import { expect, test } from 'vitest';
import { CONNECTION_REFUSED, isUnsent, connectionFailureOf } from './connection-failures.ts';
import type { Route } from './route.ts';

const DIRECT: Route = { kind: 'direct', origin: new URL('https://host.example') };
const TUNNEL: Route = { ...DIRECT, kind: 'tunnel', proxy: new URL('http://me:hunter22@proxy.example:3128') };
const SOCKET: Route = { kind: 'socket', origin: new URL('http://localhost'), socketPath: '/run/chat.sock' };

function failure(code: string, more: object = {}): Error {
  return Object.assign(new Error('it failed'), { code, ...more });
}

function lineOf(error: Error, route = DIRECT): string | undefined {
  return connectionFailureOf(error, route)?.reason;
}

test.each([
  ['ECONNREFUSED', CONNECTION_REFUSED],
  ['EAI_AGAIN', 'pass --resolve host.example:443:ADDRESS'],
  ['UND_ERR_CONNECT_TIMEOUT', 'host.example:443 does not react'],
  ['EHOSTUNREACH', 'no way leads to host.example:443'],
  ['ECONNRESET', 'host.example:443 cut the connection before it was secure'],
  ['CERT_NOT_YET_VALID', 'is not valid yet'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'it may want a certificate of the client'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'the handshake with host.example:443 failed (ERR_SSL_TLSV1'],
])('names the way out given %s', (code, line) => {
  expect(lineOf(failure(code))).toContain(line);
});

test.each([
  ['ENOENT', `${CONNECTION_REFUSED}: there is no socket /run/chat.sock`],
  ['EACCES', 'this user may not open the socket /run/chat.sock'],
  ['ENOTSOCK', '/run/chat.sock is not a socket'],
])('names the socket given %s', (code, line) => {
  expect(lineOf(failure(code), SOCKET)).toContain(line);
});

test('blames the proxy for its own connection, and the target for its certificate', () => {
  expect(lineOf(failure('ETIMEDOUT'), TUNNEL)).toContain('the proxy proxy.example:3128 does not react');
  expect(lineOf(failure('CERT_HAS_EXPIRED'), TUNNEL)).toContain('the certificate of host.example:443');
  const secured: Route = { ...TUNNEL, proxy: new URL('https://proxy.example') };
  const cause = failure('ERR_TLS_CERT_ALTNAME_INVALID', {
    host: 'proxy.example',
    cert: { subjectaltname: 'DNS:a.example' },
  });
  const wrapped = Object.assign(new Error('the proxy', { cause }), { name: 'SecureProxyConnectionError' });
  expect(lineOf(wrapped, secured)).toContain(
    'the certificate of the proxy proxy.example:443 is for a.example',
  );
});

const SOCKS: Route = { ...DIRECT, kind: 'tunnel', proxy: new URL('socks5://proxy.example') };

test.each([
  ['UND_ERR_SOCKS5_REPLY_2', 'the proxy proxy.example:1080 refuses a tunnel to host.example:443 (SOCKS)'],
  ['UND_ERR_SOCKS5_REPLY_4', 'the proxy proxy.example:1080 could not reach host.example:443 (SOCKS)'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the proxy proxy.example:1080 does not react'],
  ['ECONNREFUSED', 'the proxy proxy.example:1080 refused the connection'],
])('names a SOCKS proxy and the way out given %s', (code, line) => {
  expect(lineOf(failure(code), SOCKS)).toContain(line);
});

test('shows no credentials of a proxy', () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'UND_ERR_HEADERS_TIMEOUT'])
    expect(lineOf(failure(code), TUNNEL)).not.toContain('hunter22');
});

test('leaves other errors to whoever knows them', () => {
  expect(connectionFailureOf(failure('EMFILE'), DIRECT)).toBeUndefined();
  expect(isUnsent(failure('ECONNRESET'))).toBe(false);
  expect(isUnsent(failure('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'))).toBe(true);
});
