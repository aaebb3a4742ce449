import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { setVariables } from '../test-support/variables.ts';
import { resolveNetwork } from './network-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'network-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const place = join(folder, name);
  writeFileSync(place, text);
  return place;
}

test('returns nothing where nothing is said', async () => {
  setVariables({ HTTPS_PROXY: '', NO_PROXY: '*' });
  expect(await resolveNetwork({})).toBeUndefined();
});

test('returns the proxies of the environment, the lower case first', async () => {
  const proxies = { HTTPS_PROXY: 'http://upper:1', https_proxy: 'lower:2', ALL_PROXY: 'http://all:3' };
  setVariables({ ...proxies, NO_PROXY: 'a,b' });
  expect(await resolveNetwork({})).toEqual({
    proxies: { http: 'http://all:3/', https: 'http://lower:2/', except: 'a,b', forLoopback: false },
  });
});

test('returns the proxy of the command line for both schemes, with its credentials from the environment', async () => {
  setVariables({ HTTPS_PROXY: 'http://upper:1', NO_PROXY: 'a', CHAT_PROXY_AUTH: 'me:p@ss:word' });
  const mine = 'http://me:p%40ss%3Aword@mine:1/';
  expect(await resolveNetwork({ proxy: 'http://mine:1', noProxy: '' })).toEqual({
    proxies: { http: mine, https: mine, except: '', forLoopback: true },
  });
});

const PEM = rootCertificates[0] ?? '';

test.each([
  ['a password as an option', { proxy: 'http://me:hunter22@p:1' }, /^--proxy must not.*CHAT_PROXY_AUTH/],
  ['a proxy that is no URL', { proxy: 'http://' }, '--proxy is not the URL of a proxy'],
  ['a proxy of another kind', { proxy: 'ftp://p' }, '--proxy must begin with http://'],
  ['a key without its certificate', { certKey: 'k' }, '--cert-key requires --cert'],
  ['a file that is not there', { ca: join(folder, 'none') }, /^cannot read --ca .*none \(ENOENT\)$/],
  ['a file of something else', { ca: file('text', 'hello') }, /^--ca .*text: no certificate \(PEM\) can be/],
  [
    'a broken certificate',
    { ca: file('ca', '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----') },
    /^--ca .*no certificate \(PEM\) can be read/,
  ],
  [
    'a certificate without a key',
    { cert: file('cert', PEM) },
    /^--cert .* cannot be used .*: it must be PEM, with its private key in the same file or in --cert-key/,
  ],
  ['a PFX file', { cert: file('me.p12', '\0\u0001') }, 'it must be PEM'],
])('refuses %s', async (_, flags, message) => {
  setVariables();
  await expect(resolveNetwork(flags)).rejects.toThrow(message);
  await expect(resolveNetwork(flags)).rejects.not.toThrow('hunter22');
});

test('refuses a proxy in the environment that is no URL, without showing it', async () => {
  setVariables({ HTTPS_PROXY: 'http://me:hunter22@' });
  await expect(resolveNetwork({})).rejects.toThrow(/^HTTPS_PROXY is not the URL of a proxy(?!.*hunter22)/);
});
