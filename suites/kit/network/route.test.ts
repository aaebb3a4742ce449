import { expect, test } from 'vitest';
import { bufferedBy, recordedWay } from './route.ts';

const BASE = 'https://host.example/v1';
const PROXIES = { except: '', forLoopback: false };

test('returns nothing given nothing that a request needs to get there', () => {
  expect(recordedWay(BASE)).toBeUndefined();
  expect(recordedWay(BASE, { http2: true })).toBeUndefined();
});

test('returns the proxy without its credentials, and that it is gone past', () => {
  const network = { proxies: { ...PROXIES, https: 'http://me:hunter22@p.example' } };
  expect(recordedWay(BASE, network)).toEqual({ proxy: { url: 'http://p.example:80', credentials: true } });
  expect(recordedWay('http://127.0.0.1:8080/v1', network)).toEqual({ proxy: 'direct' });
});

test('returns the places of files, and no passphrase', () => {
  const files = { ca: 'ca.pem', cert: 'me.pem', certKey: 'me.key' };
  expect(recordedWay(BASE, { tls: { ca: 'PEM', passphrase: 'opens-it', files } })).toEqual({
    ...files,
    cert: { file: 'me.pem', passphrase: true },
  });
});

test.each([
  ['the proxy p.example:3128', 'http://host.example/v1', 'http://p.example:3128'],
  [undefined, BASE, 'http://p.example:3128'],
  [undefined, 'http://host.example/v1', 'socks5://p.example'],
])('says that %s may hold back the answers of %s behind %s', (by, baseUrl, proxy) => {
  expect(bufferedBy(baseUrl, { proxies: { ...PROXIES, http: proxy, https: proxy } })).toBe(by);
});
