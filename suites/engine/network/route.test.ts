import { expect, test } from 'vitest';
import { addressOf, type Proxies } from '../model/network.ts';
import { bufferedBy, routeTo } from './route.ts';

const BASE = 'https://host.example/v1';
const PROXIES = { except: '', forLoopback: false };

test.each([
  ['the proxy p.example:3128', 'http://host.example/v1', 'http://p.example:3128'],
  [undefined, BASE, 'http://p.example:3128'],
])('says that %s may hold back the answers of %s behind %s', (by, baseUrl, proxy) => {
  expect(bufferedBy(baseUrl, { proxies: { ...PROXIES, http: proxy, https: proxy } })).toBe(by);
});

const CHOSEN: Proxies = {
  http: 'http://clear:3128',
  https: 'http://secret:3128',
  except: '',
  forLoopback: false,
};

function chosen(origin: string, change: Partial<Proxies> = {}): string | undefined {
  return routeTo(addressOf(origin), { proxies: { ...CHOSEN, ...change } }).proxy?.hostname;
}

test('returns the proxy of the scheme', () => {
  expect([chosen('http://host.example'), chosen('https://host.example')]).toEqual(['clear', 'secret']);
  const { https: _, ...proxies } = CHOSEN;
  expect(routeTo(addressOf(BASE), { proxies }).proxy).toBeUndefined();
  expect(routeTo(addressOf(BASE), {}).proxy).toBeUndefined();
});

const HERE = ['http://localhost:8080', 'http://a.localhost', 'http://127.9.9.9', 'http://[::1]:8080'];

test('returns none for this machine, unless a proxy is asked for', () => {
  expect(HERE.map((origin) => chosen(origin))).toEqual(HERE.map(() => undefined));
  expect(HERE.map((origin) => chosen(origin, { forLoopback: true }))).toEqual(HERE.map(() => 'clear'));
  expect(chosen('http://127.example')).toBe('clear');
});

test.each([
  [true, '*', 'https://host.example'],
  [true, 'host.example', 'https://host.example'],
  [true, 'other, host.example', 'https://api.host.example'],
  [true, '.host.example', 'https://host.example'],
  [true, '*.host.example', 'https://api.host.example'],
  [true, '10.1.2.3', 'https://10.1.2.3'],
  [true, '[2001:db8::7]', 'https://[2001:db8::7]'],
  [true, '2001:db8::7', 'https://[2001:db8::7]'],
  [true, '2001:DB8:0::7', 'https://[2001:db8::7]'],
  [true, 'host.example:443', 'https://host.example'],
  [true, '[2001:db8::7]:8443', 'https://[2001:db8::7]:8443'],
  [true, '192.168.0.0/16,10.0.0.0/8', 'https://10.1.2.3'],
  [true, '2001:db8::/32', 'https://[2001:db8::7]'],
  [false, 'host.example:8443', 'https://host.example'],
  [false, '10.0.0.0/8', 'https://11.1.2.3'],
  [false, '10.0.0.0/8', 'https://[2001:db8::7]'],
  [false, '10.0.0.0/33', 'https://10.1.2.3'],
  [false, '10.0.0.0/', 'https://10.1.2.3'],
  [false, '10.0.0.0/8', 'https://10.example'],
  [false, '', 'https://host.example'],
  [false, 'ost.example', 'https://host.example'],
  [false, '10.1.2.3', 'https://11.1.2.3'],
])('goes past the proxy: %j, given %s for %s', (isPast, except, origin) => {
  expect(chosen(origin, { except })).toBe(isPast ? undefined : 'secret');
});
