import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { rejectNetworkFlags, resolveNetwork } from './network-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'network-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const place = join(folder, name);
  writeFileSync(place, text);
  return place;
}

const URLS = ['https://host.example/v1'];

test('returns nothing where nothing is said', async () => {
  expect(await resolveNetwork({}, { HTTPS_PROXY: '', NO_PROXY: '*' }, URLS)).toBeUndefined();
});

test('returns the proxies of the environment, the lower case first', async () => {
  const environment = { HTTPS_PROXY: 'http://upper:1', https_proxy: 'lower:2', ALL_PROXY: 'http://all:3' };
  expect(await resolveNetwork({}, { ...environment, NO_PROXY: 'a,b' }, URLS)).toEqual({
    proxies: {
      http: 'http://all:3/',
      https: 'http://lower:2/',
      except: 'a,b',
      forLoopback: false,
      tunnelsHttp: false,
    },
  });
});

test('returns the proxy of the command line for both schemes, with its credentials from the environment', async () => {
  const environment = { HTTPS_PROXY: 'http://upper:1', NO_PROXY: 'a', CHAT_PROXY_AUTH: 'me:p@ss:word' };
  const flags = { proxy: 'http://mine:1', proxyTunnel: true, noProxy: '' };
  expect(await resolveNetwork(flags, environment, URLS)).toEqual({
    proxies: {
      http: 'http://me:p%40ss%3Aword@mine:1/',
      https: 'http://me:p%40ss%3Aword@mine:1/',
      except: '',
      forLoopback: true,
      tunnelsHttp: true,
    },
  });
});

const PEM = rootCertificates[0] ?? '';

test.each([
  [
    'a password on the command line',
    { proxy: 'http://me:hunter22@p:1' },
    /^--proxy must not.*CHAT_PROXY_AUTH/,
  ],
  ['a proxy that is no URL', { proxy: 'http://' }, '--proxy is not the URL of a proxy'],
  ['a proxy of another kind', { proxy: 'ftp://p' }, '--proxy must begin with http://'],
  ['a tunnel without a proxy', { proxyTunnel: true }, '--proxy-tunnel requires a proxy'],
  ['a key without its certificate', { certKey: 'k' }, '--cert-key requires --cert'],
  ['a file that is not there', { ca: join(folder, 'none') }, /^cannot read --ca .*none \(ENOENT\)$/],
  [
    'a file of something else',
    { ca: file('text', 'hello') },
    '--ca ' + join(folder, 'text') + ' is no PEM file',
  ],
  [
    'a broken certificate',
    { ca: file('ca', '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----') },
    /^--ca .*no certificate can be read/,
  ],
  [
    'a certificate without a key',
    { cert: file('cert', PEM) },
    /holds no private key: pass it with --cert-key/,
  ],
  ['a file that is no PFX', { cert: file('pfx', '\0\u0001') }, /^--cert .*pfx cannot be used/],
  ['a PFX file beside a key', { cert: file('p12', '\0'), certKey: 'k' }, 'leave out --cert-key'],
  ['a resolution without an address', { resolve: ['host.example:443'] }, '--resolve must have the form'],
  ['a resolution to a name', { resolve: ['host.example:443:other'] }, '--resolve must have the form'],
  [
    'a resolution of another host',
    { resolve: ['hosts.example:443:10.0.0.7'] },
    /--resolve hosts.example:443 has no effect: no URL/,
  ],
  ['a resolution of another port', { resolve: ['host.example:80:10.0.0.7'] }, 'has no effect: no URL'],
  [
    'a resolution behind a proxy',
    { resolve: ['host.example:443:10.0.0.7'], proxy: 'p:1' },
    'go past it with --no-proxy host.example',
  ],
])('refuses %s', async (_, flags, message) => {
  await expect(resolveNetwork(flags, {}, URLS)).rejects.toThrow(message);
  await expect(resolveNetwork(flags, {}, URLS)).rejects.not.toThrow('hunter22');
});

test('says whether the passphrase of a key is missing or wrong', async () => {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'right' },
  });
  const flags = { cert: file('locked', PEM), certKey: file('locked-key', privateKey) };
  await expect(resolveNetwork(flags, {}, URLS)).rejects.toThrow('set its passphrase in CHAT_CERT_PASSPHRASE');
  await expect(resolveNetwork(flags, { CHAT_CERT_PASSPHRASE: 'wrong' }, URLS)).rejects.toThrow(
    'check its passphrase in CHAT_CERT_PASSPHRASE',
  );
});

test('refuses a proxy in the environment that is no URL, without showing it', async () => {
  const refused = resolveNetwork({}, { HTTPS_PROXY: 'http://me:hunter22@' }, URLS);
  await expect(refused).rejects.toThrow(/^HTTPS_PROXY is not the URL of a proxy(?!.*hunter22)/);
});

test.each(['socks5h://p:1080', 'socks://p:1080', 'SOCKS5://p:1080'])(
  'takes a SOCKS5 proxy by each of its names, given %s',
  async (text) => {
    const socks = 'socks5://me:letmein0123@p:1080';
    const environment = { ALL_PROXY: text, CHAT_PROXY_AUTH: 'me:letmein0123' };
    const network = await resolveNetwork({}, environment, URLS);
    expect(network?.proxies).toMatchObject({ http: socks, https: socks });
  },
);

test('refuses an IPv6 address behind a SOCKS proxy, and only there', async () => {
  const environment = { ALL_PROXY: 'socks5://p:1080' };
  const six = ['https://[2001:db8::7]/v1'];
  await expect(resolveNetwork({}, environment, six)).rejects.toThrow(
    '[2001:db8::7] cannot be reached through a SOCKS proxy: use a name in place of the IPv6 address, or go past the proxy with --no-proxy [2001:db8::7]',
  );
  await expect(resolveNetwork({ noProxy: '*' }, environment, six)).resolves.toBeDefined();
  await expect(resolveNetwork({ proxy: 'p:3128' }, environment, six)).resolves.toBeDefined();
});

test('returns addresses, with or without brackets', async () => {
  const resolve = ['host.example:443:[::1]', 'p:3128:10.0.0.7'];
  expect(await resolveNetwork({ resolve: resolve.slice(0, 1) }, {}, URLS)).toEqual({
    resolve: [{ host: 'host.example', port: 443, address: '::1' }],
  });
  const proxied = await resolveNetwork({ resolve: resolve.slice(1), proxy: 'p:3128' }, {}, URLS);
  expect(proxied?.resolve).toEqual([{ host: 'p', port: 3128, address: '10.0.0.7' }]);
});

test('refuses options that the bundled mock has no use for', () => {
  expect(() => rejectNetworkFlags({ certKey: 'k' }, '--base-url')).toThrow('--cert-key requires --base-url');
  expect(() => rejectNetworkFlags({ proxyTunnel: true }, '--base-url')).toThrow(
    '--proxy-tunnel requires --base-url',
  );
  expect(() => rejectNetworkFlags({}, '--base-url')).not.toThrow();
});
