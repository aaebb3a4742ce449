import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Mock, startMock } from '../../../mock-server/start-mock.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { readReport } from '../../../suites/kit/reporting/report-schema.ts';
import { secretsInFolder, secretsInText } from '../check/secrets-in.ts';
import { callCommand } from '../support/command.ts';
import { type Authority, bothIn, makeAuthority } from './servers/authority.ts';
import { type ForwardProxy, startMicrosocks, startSquid, startTinyproxy } from './servers/forward-proxies.ts';
import { startNginx } from './servers/nginx.ts';
import { skipWithout } from './servers/programs.ts';
import { freePorts, type Server } from './servers/run-server.ts';

const isEquipped = skipWithout('nginx', 'tinyproxy', 'squid', 'microsocks', 'openssl');

const PASSWORD = 'canaryWm2Hd8xQ7';
/** Of a request that must be refused. */
const ANSWER = '{"id":"r","output":[]}';
const PASSPHRASE = 'opens-it-all';
const folder = mkdtempSync(join(tmpdir(), 'ways-'));
const running: Server[] = [];
let mock: Mock;
let authority: Authority;
let files: Readonly<Record<'cert' | 'key' | 'both' | 'pfx', string>>;
let proxy: ForwardProxy;
let squid: ForwardProxy;
let socks: ForwardProxy;
let [secure, strict, plain, six, broken] = [0, 0, 0, 0, 0];
const socket = join(folder, 'chat.sock');

/** What stands in front of the mock: TLS with HTTP/2, TLS for known clients, a path prefix, IPv6, a Unix socket. */
function blocks({ cert, key }: Readonly<Record<'cert' | 'key', string>>): string {
  const { origin } = new URL(mock.url);
  const tls = `ssl_certificate ${cert}; ssl_certificate_key ${key};`;
  const pass = `location / { proxy_pass ${origin}; }`;
  return `
    server { listen 127.0.0.1:${secure} ssl http2; ${tls} ${pass} }
    server { listen 127.0.0.1:${strict} ssl; ${tls} ${pass}
      ssl_client_certificate ${authority.cert}; ssl_verify_client on; }
    server { listen 127.0.0.1:${plain}; location /team/chat/v1/ { proxy_pass ${origin}/v1/; } }
    server { listen 127.0.0.1:${broken} ssl; ${tls} ${pass}
      location /v1/responses { return 200 '${ANSWER}'; } }
    server { listen [::1]:${six}; ${pass} }
    server { listen unix:${socket}; ${pass} }`;
}

beforeAll(async () => {
  if (!isEquipped) return;
  mock = await startMock({ control: true });
  authority = makeAuthority();
  const server = authority.issue('gateway.test', 'DNS:gateway.test,DNS:localhost');
  const client = authority.issue('runner', 'DNS:runner');
  files = { ...client, both: bothIn(client), pfx: authority.pfx(client, PASSPHRASE) };
  [secure = 0, strict = 0, plain = 0, six = 0, broken = 0] = await freePorts(5);
  running.push(await startNginx(blocks(server), secure));
  proxy = await startTinyproxy(`BasicAuth runner ${PASSWORD}`);
  squid = await startSquid();
  socks = await startMicrosocks(['runner', PASSWORD]);
  running.push(proxy, squid, socks);
});

afterAll(async () => {
  for (const server of running) await server.stop();
  await mock?.close();
  authority?.remove();
  rmSync(folder, { recursive: true });
});

/** A small run, and what it found. */
async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const report = mkdtempSync(join(folder, 'report-'));
  const whole = ['--seed', '1', '--tier', 'smoke', '--report', report, ...args];
  const { code, stdout, stderr } = await callCommand(whole, {
    CHAT_API_KEY: mock.keys['primary'] ?? '',
    ...environment,
  });
  if (code !== 0) throw new Error(`${code}: ${stderr}`);
  expect(stderr).not.toContain('Warning');
  expect(secretsInText('printed', stdout + stderr, [PASSWORD, PASSPHRASE])).toEqual([]);
  const summary: Summary = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'));
  return Object.fromEntries(summary.checks.map(({ id, verdict, reason }) => [id, { verdict, reason }]));
}

type Verdicts = Awaited<ReturnType<typeof run>>;

let direct: Promise<Verdicts> | undefined;

/** The verdicts of the same run without anything between. */
function straight(): Promise<Verdicts> {
  direct ??= run(['--base-url', mock.url, '--control-url', mock.control ?? '']);
  return direct;
}

function controlled(baseUrl: string, controlUrl: string): readonly string[] {
  return ['--base-url', baseUrl, '--control-url', controlUrl];
}

const here = (port: number): readonly string[] => ['--resolve', `gateway.test:${port}:127.0.0.1`];
/** By the name in its certificate. */
const secured = (port: number): readonly string[] => [
  ...controlled(`https://gateway.test:${port}/v1`, `https://gateway.test:${port}/control`),
  '--ca',
  authority.cert,
];
const known = (port: number): readonly string[] => [...secured(port), ...here(port)];

const WAYS: Readonly<Record<string, () => readonly string[]>> = {
  'TLS by an authority of its own, at an address of its own': () => known(secure),
  'HTTP/2': () => [...known(secure), '--http2'],
  'HTTP/2 in a tunnel of a proxy': () => [
    ...controlled(`https://localhost:${secure}/v1`, `https://localhost:${secure}/control`),
    '--http2',
    '--ca',
    authority.cert,
    '--proxy',
    `127.0.0.1:${proxy.port}`,
  ],
  'a certificate of the client': () => [...known(strict), '--cert', files.cert, '--cert-key', files.key],
  'a certificate and a key in one file': () => [...known(strict), '--cert', files.both],
  'a PFX file with a passphrase': () => [...known(strict), '--cert', files.pfx],
  IPv6: () => controlled(`http://[::1]:${six}/v1`, `http://[::1]:${six}/control`),
  'a Unix socket': () => controlled(`unix:${socket}`, `unix:${socket}:/control`),
  'a tunnel of a proxy that wants credentials': () => [
    ...controlled(`https://localhost:${secure}/v1`, `https://localhost:${secure}/control`),
    '--ca',
    authority.cert,
    '--proxy',
    `127.0.0.1:${proxy.port}`,
  ],
  'a SOCKS proxy that wants credentials, with HTTP/2': () => [
    ...controlled(`https://localhost:${secure}/v1`, `https://localhost:${secure}/control`),
    '--http2',
    '--ca',
    authority.cert,
    '--proxy',
    `socks5h://127.0.0.1:${socks.port}`,
  ],
  'a SOCKS proxy to a target without TLS': () => [
    ...controlled(mock.url, mock.control ?? ''),
    '--proxy',
    `socks5://127.0.0.1:${socks.port}`,
  ],
  'a tunnel of a proxy to a target without TLS': () => [
    ...controlled(mock.url, mock.control ?? ''),
    '--proxy-tunnel',
    '--proxy',
    `http://127.0.0.1:${squid.port}`,
  ],
};

test.each(Object.entries(WAYS))('finds through %s what it finds without', async (_, args) => {
  const secrets = { CHAT_CERT_PASSPHRASE: PASSPHRASE, CHAT_PROXY_AUTH: `runner:${PASSWORD}` };
  expect(await run(args(), secrets)).toEqual(await straight());
});

test('lets the tested client through each way', async () => {
  const calls = ['client-lists-models', 'client-completes', 'client-streams', 'client-raises-typed-error'];
  const verdicts = await straight();
  // The runs above found the same.
  expect(calls.map((id) => verdicts[id]?.verdict)).toEqual(calls.map(() => 'pass'));
});

test('prints curl lines that go the way of the run', async ({ skip }) => {
  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  skip(!hasCurl, 'curl is not here: apt-get install curl');
  const ways = [
    [`https://gateway.test:${broken}/v1`, ...here(broken), '--cert', files.pfx],
    [
      `https://localhost:${broken}/v1`,
      '--cert',
      files.cert,
      '--cert-key',
      files.key,
      '--proxy',
      `127.0.0.1:${proxy.port}`,
    ],
    [`https://localhost:${broken}/v1`, '--proxy', `socks5://127.0.0.1:${socks.port}`],
  ];
  const environment = {
    CHAT_API_KEY: mock.keys['primary'] ?? '',
    CHAT_CERT_PASSPHRASE: PASSPHRASE,
    CHAT_PROXY_AUTH: `runner:${PASSWORD}`,
  };
  for (const [url = '', ...way] of ways) {
    const report = mkdtempSync(join(folder, 'report-'));
    const args = ['--base-url', url, '--ca', authority.cert, ...way, '--only', 'SVC-6', '--seed', '1'];
    expect((await callCommand([...args, '--report', report], environment)).code).toBe(1);
    const { curl = '' } = readReport(report).checks[0]?.evidence[0] ?? {};
    const { stdout, stderr } = spawnSync('sh', ['-c', curl], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    });
    expect({ curl, stdout, stderr }).toEqual({ curl, stdout: ANSWER, stderr: '' });
    await callCommand(['report', report, '--report', join(report, 'again')]);
    expect(readReport(join(report, 'again')).checks[0]?.evidence[0]?.curl).toBe(curl);
  }
});

test('goes through a path prefix', async () => {
  const found = await run(['--base-url', `http://127.0.0.1:${plain}/team/chat/v1`]);
  expect(found).toEqual(await run(['--base-url', mock.url]));
});

test('takes the proxy of the environment, and goes past it where told', async () => {
  const through = { https_proxy: `http://127.0.0.1:${squid.port}` };
  expect(await run(secured(secure), through)).toEqual(await straight());
  const nowhere = { HTTPS_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1' };
  expect(await run([...known(secure), '--no-proxy', '.test'], nowhere)).toEqual(await straight());
  expect(await run(known(secure), { ...nowhere, NO_PROXY: 'gateway.test' })).toEqual(await straight());
});

test('sends nothing for this machine through the proxy of the environment', async () => {
  const nowhere = { HTTP_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1' };
  const found = await run(controlled(mock.url, mock.control ?? ''), nowhere);
  expect(found).toEqual(await straight());
});

test('leaves STR-2 open behind a proxy that may hold streams back', async () => {
  const { port } = new URL(mock.url);
  const urls = controlled(`http://gateway.test:${port}/v1`, mock.control ?? '');
  const { 'stream-is-buffered': buffered, ...found } = await run(urls, {
    HTTP_PROXY: `http://127.0.0.1:${squid.port}`,
  });
  expect(buffered).toEqual({
    verdict: 'inconclusive',
    reason: expect.stringMatching(
      /the proxy 127\.0\.0\.1:\d+ may have held the streams back.*--proxy-tunnel/,
    ),
  });
  const { 'stream-is-buffered': judged, ...others } = await straight();
  expect(judged?.verdict).toBe('pass');
  expect(found).toEqual(others);
});

test('shows the password of a proxy and the passphrase of a key nowhere', () => {
  const sent = Buffer.from(`runner:${PASSWORD}`).toString('base64');
  expect(secretsInFolder(folder, [PASSWORD, PASSPHRASE, sent])).toEqual([]);
});
