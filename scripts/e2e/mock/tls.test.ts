import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeAuthority } from '../../../mock-server/tls/certificates.ts';
import { callCommand, listeningCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

test('is checked with --ca, itself and through the proxy, and not without', async () => {
  const { ready, end } = await listeningCommand(['mock', '--tls', '--control']);
  const key = { CHAT_API_KEY: ready.keys['primary'] ?? '' };
  const trusted = ['--ca', ready.ca];
  const check = ['--only', 'SVC-1,IDEM-3', '--tier', 'smoke'];
  const target = ['--base-url', ready.url, '--control-url', ready.control];
  expect(await callCommand([...target, ...trusted, ...check], key)).toMatchObject({ code: 0 });
  const refused = await callCommand([...target, ...check], key);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('--ca FILE') });
  const { ready: proxy } = await listeningCommand(['proxy', '--target', ready.url, ...trusted]);
  expect(await callCommand(['--base-url', proxy.url, ...check], key)).toMatchObject({ code: 0 });
  await end();
  expect(existsSync(ready.ca)).toBe(false);
});

test('shows the certificate of given files', async () => {
  const folder = temporaryFolder();
  const authority = await makeAuthority();
  const issued = authority.issue(['127.0.0.1']);
  const [cert, key, ca] = [join(folder, 'cert.pem'), join(folder, 'key.pem'), join(folder, 'ca.pem')];
  for (const [file, text] of [
    [cert, issued.cert],
    [key, issued.key],
    [ca, authority.ca],
  ] as const)
    writeFileSync(file, text);
  const { ready } = await listeningCommand(['mock', '--tls', `${cert},${key}`]);
  expect(ready).not.toHaveProperty('ca');
  const args = ['--base-url', ready.url, '--ca', ca, '--only', 'models', '--tier', 'smoke'];
  expect(await callCommand(args, { CHAT_API_KEY: ready.keys['primary'] ?? '' })).toMatchObject({ code: 0 });
});
