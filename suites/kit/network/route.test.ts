import { expect, test } from 'vitest';
import { recordedWay } from './route.ts';

const BASE = 'https://host.example/v1';
const PROXIES = { except: '', forLoopback: false, tunnelsHttp: false };

test('returns nothing given nothing that a request needs to get there', () => {
  expect(recordedWay(BASE)).toBeUndefined();
  expect(recordedWay('unix:/run/chat.sock', { proxies: { ...PROXIES, http: 'http://p:1' } })).toBeUndefined();
});

test('returns the proxy without its credentials, and that one is gone past', () => {
  const network = { proxies: { ...PROXIES, https: 'http://me:hunter22@p.example' } };
  const way = recordedWay(BASE, network);
  expect(way).toEqual({ proxy: { url: 'http://p.example:80', credentials: true, tunnel: true } });
  expect(recordedWay('http://127.0.0.1:8080/v1', network)).toEqual({ proxy: 'direct' });
  const socks = recordedWay(BASE, { proxies: { ...PROXIES, https: 'socks5://p.example' } });
  expect(socks).toEqual({ proxy: { url: 'socks5://p.example:1080', credentials: false, tunnel: true } });
});

test('returns the places of files, and no passphrase', () => {
  const files = { ca: 'ca.pem', cert: 'me.p12' };
  expect(
    recordedWay(BASE, { tls: { ca: 'PEM', pfx: Buffer.from(''), passphrase: 'opens-it', files } }),
  ).toEqual({
    ca: 'ca.pem',
    cert: { file: 'me.p12', isPfx: true, passphrase: true },
  });
});

test('returns the addresses that stand in for the host it connects to, and no others', () => {
  const resolve = [
    { host: 'host.example', port: 443, address: '::1' },
    { host: 'control.example', port: 443, address: '10.0.0.7' },
  ];
  expect(recordedWay(BASE, { resolve })).toEqual({ resolve: ['host.example:443:[::1]'] });
});
