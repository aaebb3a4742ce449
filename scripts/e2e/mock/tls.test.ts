import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeAuthority } from '../../../mock-server/tls/authority.ts';
import { resultOf, runCommand, spawnCommand } from '../support/command.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

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
  environment = {},
): Promise<{ ready: Ready; end: () => Promise<void> }> {
  const child = spawnCommand(args, environment);
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

/** A program with the tested client, which prints why its requests failed, one after the other. */
const CLIENT = `
  import OpenAI from 'tested-client';
  const client = new OpenAI({ maxRetries: 0 });
  for (let request = 0; request < 5; request += 1) {
    const chat = { model: 'compact-1', messages: [{ role: 'user', content: 'Hello!' }] };
    const said = await client.chat.completions.create(chat, { headers: { connection: 'close' } }).then(
      (completion) => completion.object,
      (error) => [error.constructor.name, error.cause?.cause?.code ?? error.cause?.code].join(' '),
    );
    console.log(said);
  }`;

function runClient({ url, ca, keys }: Ready): ReturnType<typeof resultOf> {
  const environment = { OPENAI_BASE_URL: url, OPENAI_API_KEY: keys.primary, NODE_EXTRA_CA_CERTS: ca };
  const env = { ...process.env, ...environment };
  return resultOf(spawn(process.execPath, ['--input-type=module', '--eval', CLIENT], { cwd: ROOT, env }));
}

test('has the tested client meet every certificate that it must refuse', async () => {
  const flaws = ['expired', 'other-host', 'untrusted'].map((how) => `wrong_certificate how=${how} times=1`);
  const { ready, end } = await started(['mock', '--tls', ...flaws.flatMap((line) => ['--fault', line])]);
  const { stdout, stderr } = await runClient(ready);
  expect({ said: stdout.trim().split('\n'), stderr }).toEqual({
    said: [
      'APIConnectionError CERT_HAS_EXPIRED',
      'APIConnectionError ERR_TLS_CERT_ALTNAME_INVALID',
      'APIConnectionError DEPTH_ZERO_SELF_SIGNED_CERT',
      'chat.completion',
      'chat.completion',
    ],
    stderr: '',
  });
  await end();
  expect(existsSync(ready.ca)).toBe(false);
});

test('is checked with --ca, itself and through the proxy, and not without', async () => {
  const { ready } = await started(['mock', '--tls', '--control']);
  const key = { CHAT_API_KEY: ready.keys.primary };
  const trusted = ['--ca', ready.ca];
  const check = ['--only', 'SVC-1,IDEM-3'];
  const target = ['--base-url', ready.url, '--control-url', ready.control];
  expect(await runCommand([...target, ...trusted, ...check], key)).toMatchObject({ code: 0 });
  const refused = await runCommand([...target, ...check], key);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('--ca FILE') });
  const { ready: proxy } = await started(['proxy', '--target', ready.url, ...trusted]);
  expect(await runCommand(['--base-url', proxy.url, ...check], key)).toMatchObject({ code: 0 });
});

/** A proxy that opens tunnels, and counts them. */
async function startProxy(): Promise<{ url: string; opened: () => number }> {
  let tunnels = 0;
  const server = createServer().on('connect', (message: IncomingMessage, socket: Duplex) => {
    const [, host = '', port] = /^(.*):(\d+)$/.exec(message.url ?? '') ?? [];
    const target = connect(Number(port), host, () => {
      tunnels += 1;
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${Object(address).port}`, opened: () => tunnels };
}

test('is recorded through a proxy, with --ca, and then served without either', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'record-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const recording = join(folder, 'rome.ndjson');
  const { ready: service, end } = await started(['mock', '--tls', '--answer', 'It rains.']);
  const proxy = await startProxy();
  const way = ['--ca', service.ca, '--proxy', proxy.url, '--report', join(folder, 'out')];
  const recorder = await started(['proxy', '--target', service.url, '--record', recording, ...way]);
  const chat = { model: 'compact-1', messages: [{ role: 'user', content: 'Rome?' }] };
  const ask = async ({ url }: Ready, { keys }: Ready): Promise<unknown> => {
    const headers = { authorization: `Bearer ${keys.primary}`, 'content-type': 'application/json' };
    const said = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(chat),
    });
    return said.json();
  };
  const rains = { choices: [{ message: { content: 'It rains.' } }] };
  expect(await ask(recorder.ready, service)).toMatchObject(rains);
  expect(proxy.opened()).toBeGreaterThan(0);
  await end();
  await recorder.end();
  const { ready: served } = await started(['mock', '--world', recording]);
  expect(await ask(served, served)).toMatchObject(rains);
});

async function statusWith(url: string, ca: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  request(`${url}/models`, { ca }, (answer) => {
    text(answer).then(() => resolve(answer.statusCode), reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

test('shows the certificate of given files, and refuses files that have none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const authority = await makeAuthority();
  const issued = authority.issue(['127.0.0.1']);
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(cert, issued.cert);
  await writeFile(key, issued.key);
  const { ready } = await started(['mock', '--tls', `${cert},${key}`]);
  expect(ready).not.toHaveProperty('ca');
  expect(await statusWith(ready.url, authority.ca)).toBe(401);
  const wrong = {
    [`${cert},nowhere.pem`]: 'cannot read "nowhere.pem"',
    [cert]: 'no certificate with its key',
    [`${cert},${cert}`]: 'no certificate with its key',
  };
  for (const [value, message] of Object.entries(wrong))
    expect(await runCommand(['mock', '--tls', value])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
});

test.each([
  [[], 'wrong_certificate', '/phase: a handshake is possible only with --tls'],
  [['--tls'], 'wrong_certificate stream=true', '/match: wrong_certificate triggers where nothing'],
])('refuses a handshake that cannot happen: %j %s', async (options, fault, message) => {
  const { code, stderr } = await runCommand(['mock', ...options, '--fault', fault]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`--fault "${fault}": ${message}`),
  });
});
