import { expect, test } from 'vitest';
import type { Proxies } from '../model/network.ts';
import { proxyFor } from './choose-proxy.ts';

const PROXIES: Proxies = {
  http: 'http://clear:3128',
  https: 'http://secret:3128',
  except: '',
  forLoopback: false,
};

function chosen(origin: string, change: Partial<Proxies> = {}): string | undefined {
  return proxyFor(origin, { ...PROXIES, ...change })?.hostname;
}

test('returns the proxy of the scheme', () => {
  expect([chosen('http://host.example'), chosen('https://host.example')]).toEqual(['clear', 'secret']);
  const { https: _, ...clear } = PROXIES;
  expect(proxyFor('https://host.example', clear)).toBeUndefined();
  expect(proxyFor('https://host.example', undefined)).toBeUndefined();
});

const HERE = ['http://localhost:8080', 'http://a.localhost', 'http://127.9.9.9', 'http://[::1]:8080'];

test('returns none for this machine, unless a proxy is asked for', () => {
  expect(HERE.map((origin) => chosen(origin))).toEqual(HERE.map(() => undefined));
  expect(HERE.map((origin) => chosen(origin, { forLoopback: true }))).toEqual(HERE.map(() => 'clear'));
  expect(chosen('http://127.example')).toBe('clear');
});

test.each([
  ['*', 'https://host.example'],
  ['host.example', 'https://host.example'],
  ['HOST.Example.', 'https://host.example'],
  ['other, host.example', 'https://api.host.example'],
  ['other host.example', 'https://host.example.'],
  ['.host.example', 'https://host.example'],
  ['*.host.example', 'https://api.host.example'],
  ['host.example:443', 'https://host.example'],
  ['host.example:8443', 'https://host.example:8443'],
  ['10.0.0.7', 'https://10.0.0.7'],
  ['10.0.0.0/8', 'https://10.1.2.3'],
  ['2001:db8::7', 'https://[2001:db8::7]'],
  ['[2001:db8::7]:443', 'https://[2001:db8::7]'],
  ['2001:db8::/32', 'https://[2001:db8::7]'],
])('goes past the proxy given %s for %s', (except, origin) => {
  expect(chosen(origin, { except })).toBeUndefined();
});

test.each([
  ['', 'https://host.example'],
  ['example.host', 'https://host.example'],
  ['ost.example', 'https://host.example'],
  ['*.host.example', 'https://host.example'],
  ['host.example:8443', 'https://host.example'],
  ['*:8443', 'https://host.example'],
  ['10.0.0.0/8', 'https://11.1.2.3'],
  ['10.0.0.0/33', 'https://10.0.0.1'],
  ['10.0.0.0/8', 'https://[2001:db8::7]'],
  ['0.0.0.0', 'https://10.0.0.7'],
  ['0.7', 'https://10.0.0.7'],
])('uses the proxy given %s for %s', (except, origin) => {
  expect(chosen(origin, { except })).toBe('secret');
});
