import { expect, test } from 'vitest';
import { isUnsent, unsentReason } from './connection-failures.ts';
import type { Route } from './route.ts';

const DIRECT: Route = { origin: new URL('https://host.example') };
const TUNNEL: Route = { ...DIRECT, proxy: new URL('http://me:hunter22@proxy.example:3128') };

function failure(code: string, more: object = {}): Error {
  return Object.assign(new Error('it failed'), { code, ...more });
}

// The others are provoked by real servers in scripts/e2e/network.
test.each([
  ['EAI_AGAIN', DIRECT, 'no such host: host.example:443 has no address'],
  ['UND_ERR_CONNECT_TIMEOUT', DIRECT, 'host.example:443 does not react'],
  ['ETIMEDOUT', TUNNEL, 'the proxy proxy.example:3128 does not react'],
  ['ECONNRESET', TUNNEL, 'no connection to the proxy proxy.example:3128: ECONNRESET'],
  ['CERT_NOT_YET_VALID', TUNNEL, 'the certificate of host.example:443 is not valid today'],
  ['UND_ERR_HEADERS_TIMEOUT', TUNNEL, 'the proxy proxy.example:3128 does not react'],
  ['EOTHER', DIRECT, 'no connection to host.example:443: EOTHER'],
])('names the trouble and the way out given %s', (code, route, line) => {
  expect(unsentReason(failure(code), route)).toContain(line);
  expect(unsentReason(failure(code), route)).not.toContain('hunter22');
});

test('blames the proxy for its own certificate', () => {
  const secured: Route = { ...TUNNEL, proxy: new URL('https://proxy.example') };
  const cause = failure('ERR_TLS_CERT_ALTNAME_INVALID');
  const wrapped = Object.assign(new Error('the proxy', { cause }), { name: 'SecureProxyConnectionError' });
  const plain: Route = { ...secured, origin: new URL('http://host.example') };
  for (const reason of [unsentReason(wrapped, secured), unsentReason(failure('CERT_HAS_EXPIRED'), plain)])
    expect(reason).toContain('the certificate of the proxy proxy.example:443');
});

test('knows that nothing was sent given a certificate of the client that is refused after the handshake', () => {
  expect(isUnsent(failure('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'))).toBe(true);
  expect(isUnsent(failure('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'))).toBe(true);
  expect(isUnsent(failure('ECONNRESET'))).toBe(false);
});
