import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { makeAuthority } from '../../../mock-server/tls/authority.ts';
import { callCommand, resultOf, spawnCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

/** What this file reads of a ready line; the proxy has only `url`. */
interface Ready {
  readonly url: string;
  readonly ca: string;
  readonly control: string;
  readonly keys: { readonly primary: string };
}

/** Starts a command that prints one line of JSON, and ends it after the test. */
async function started(
  args: readonly string[],
): Promise<{ readonly ready: Ready; readonly end: () => Promise<void> }> {
  const child = spawnCommand(args);
  const ended = resultOf(child);
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(end);
  if (child.stdout === null) throw new Error('it was started without pipes');
  for await (const line of createInterface({ input: child.stdout })) return { ready: JSON.parse(line), end };
  throw new Error((await ended).stderr);
}

test('is checked with --ca, itself and through the proxy, and not without', async () => {
  const { ready, end } = await started(['mock', '--tls', '--control']);
  const key = { CHAT_API_KEY: ready.keys.primary };
  const trusted = ['--ca', ready.ca];
  const check = ['--only', 'SVC-1,IDEM-3', '--tier', 'smoke'];
  const target = ['--base-url', ready.url, '--control-url', ready.control];
  expect(await callCommand([...target, ...trusted, ...check], key)).toMatchObject({ code: 0 });
  const refused = await callCommand([...target, ...check], key);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('--ca FILE') });
  const { ready: proxy } = await started(['proxy', '--target', ready.url, ...trusted]);
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
  const { ready } = await started(['mock', '--tls', `${cert},${key}`]);
  expect(ready).not.toHaveProperty('ca');
  const args = ['--base-url', ready.url, '--ca', ca, '--only', 'models', '--tier', 'smoke'];
  expect(await callCommand(args, { CHAT_API_KEY: ready.keys.primary })).toMatchObject({ code: 0 });
});
