import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Mock, startMock } from '../../../mock-server/start-mock.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { secretsInFolder, secretsInText } from '../check/secrets-in.ts';
import { callCommand } from '../support/command.ts';
import { type Authority, bothIn, makeAuthority } from './servers/authority.ts';
import { skipWithout } from './servers/programs.ts';
import {
  type ForwardProxy,
  freePorts,
  type Server,
  startNginx,
  startSquid,
  startTinyproxy,
} from './servers/servers.ts';

const isEquipped = skipWithout('nginx', 'tinyproxy', 'squid', 'openssl');

const PASSWORD = 'canaryWm2Hd8xQ7';
/** Of a request that must be refused. */
const ANSWER = '{"id":"r","output":[]}';
const folder = mkdtempSync(join(tmpdir(), 'ways-'));
const running: Server[] = [];
let mock: Mock;
let authority: Authority;
let files: Readonly<Record<'cert' | 'key' | 'both', string>>;
let proxy: ForwardProxy;
let squid: ForwardProxy;
let [secure, strict, plain, six, broken] = [0, 0, 0, 0, 0];

/** What stands in front of the mock: TLS, TLS for known clients, a path prefix, IPv6. */
function blocks({ cert, key }: Readonly<Record<'cert' | 'key', string>>): string {
  const { origin } = new URL(mock.url);
  const tls = `ssl_certificate ${cert}; ssl_certificate_key ${key};`;
  const pass = `location / { proxy_pass ${origin}; }`;
  return `
    server { listen 127.0.0.1:${secure} ssl; ${tls} ${pass} }
    server { listen 127.0.0.1:${strict} ssl; ${tls} ${pass}
      ssl_client_certificate ${authority.cert}; ssl_verify_client on; }
    server { listen 127.0.0.1:${plain}; location /team/chat/v1/ { proxy_pass ${origin}/v1/; } }
    server { listen 127.0.0.1:${broken} ssl; ${tls} ${pass}
      location /v1/responses { return 200 '${ANSWER}'; } }
    server { listen [::1]:${six}; ${pass} }`;
}

beforeAll(async () => {
  if (!isEquipped) return;
  mock = await startMock({ control: true });
  authority = makeAuthority();
  const server = authority.issue('gateway.test', 'DNS:gateway.test,DNS:localhost');
  const client = authority.issue('runner', 'DNS:runner');
  files = { ...client, both: bothIn(client) };
  [secure = 0, strict = 0, plain = 0, six = 0, broken = 0] = await freePorts(5);
  running.push(await startNginx(blocks(server), secure));
  proxy = await startTinyproxy(`BasicAuth runner ${PASSWORD}`);
  squid = await startSquid();
  running.push(proxy, squid);
});

afterAll(async () => {
  for (const server of running) await server.stop();
  await mock?.close();
  authority?.remove();
  rmSync(folder, { recursive: true });
});

/** What a way could change: paths, headers, large and malformed bodies, streams, lost answers, the tested client. */
const SELECTED =
  'SVC-2,SVC-6,AUTH-1,LIM-1,LIM-3,STR-1,STR-2,STR-3,STR-4,ERR-5,ERR-6,ERR-7,ERR-8,ERR-11,VER-2';

/** A small run, and what it found. */
async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const report = mkdtempSync(join(folder, 'report-'));
  const whole = ['--seed', '1', '--tier', 'smoke', '--only', SELECTED, '--report', report, ...args];
  const { code, stdout, stderr } = await callCommand(whole, {
    CHAT_API_KEY: mock.keys['primary'] ?? '',
    ...environment,
  });
  if (code !== 0) throw new Error(`${code}: ${stderr}`);
  expect(stderr).not.toContain('Warning');
  expect(secretsInText('printed', stdout + stderr, [PASSWORD])).toEqual([]);
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

const SQUID_ONLY = 'gateway.test';

/** By a name in its certificate; only squid knows the other one. */
const secured = (port: number, host = 'localhost'): readonly string[] => [
  ...controlled(`https://${host}:${port}/v1`, `https://${host}:${port}/control`),
  '--ca',
  authority.cert,
];

type Way = () => readonly [args: readonly string[], environment?: Readonly<Record<string, string>>];

const WAYS: Readonly<Record<string, Way>> = {
  'TLS by an authority of its own': () => [secured(secure)],
  'a certificate of the client': () => [[...secured(strict), '--cert', files.cert, '--cert-key', files.key]],
  'a certificate and its key in one file': () => [[...secured(strict), '--cert', files.both]],
  IPv6: () => [controlled(`http://[::1]:${six}/v1`, `http://[::1]:${six}/control`)],
  'a path prefix': () => [controlled(`http://127.0.0.1:${plain}/team/chat/v1`, mock.control ?? '')],
  'a tunnel of a proxy that wants credentials': () => [
    [...secured(secure), '--proxy', `127.0.0.1:${proxy.port}`],
  ],
  'the proxy of the environment': () => [
    secured(secure, SQUID_ONLY),
    { https_proxy: `http://127.0.0.1:${squid.port}` },
  ],
};

test.each(Object.entries(WAYS))('finds through %s what it finds without', async (_, way) => {
  const [args, environment = {}] = way();
  const secrets = { CHAT_PROXY_AUTH: `runner:${PASSWORD}` };
  expect(await run(args, { ...secrets, ...environment })).toEqual(await straight());
});

test('lets the tested client through each way', async () => {
  const calls = ['client-lists-models', 'client-completes', 'client-streams', 'client-raises-typed-error'];
  const verdicts = await straight();
  // The runs above found the same.
  expect(calls.map((id) => verdicts[id]?.verdict)).toEqual(calls.map(() => 'pass'));
});

test('prints curl lines that use the files of the run for TLS', async ({ skip }) => {
  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  skip(!hasCurl, 'curl is not here: apt-get install curl');
  const url = `https://localhost:${broken}/v1`;
  const inTwo = ['--cert', files.cert, '--cert-key', files.key];
  const environment = { CHAT_API_KEY: mock.keys['primary'] ?? '', CHAT_PROXY_AUTH: `runner:${PASSWORD}` };
  for (const way of [['--cert', files.both], inTwo]) {
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

test('leaves STR-2 open behind a proxy that may hold streams back', async () => {
  const { port } = new URL(mock.url);
  const urls = controlled(`http://${SQUID_ONLY}:${port}/v1`, mock.control ?? '');
  const { 'stream-is-buffered': buffered, ...found } = await run(urls, {
    HTTP_PROXY: `http://127.0.0.1:${squid.port}`,
  });
  expect(buffered).toEqual({
    verdict: 'inconclusive',
    reason: expect.stringMatching(/the proxy 127\.0\.0\.1:\d+ may have held the streams back.*--no-proxy/),
  });
  const { 'stream-is-buffered': judged, ...others } = await straight();
  expect(judged?.verdict).toBe('pass');
  expect(found).toEqual(others);
});

test('shows the password of a proxy nowhere', () => {
  const sent = Buffer.from(`runner:${PASSWORD}`).toString('base64');
  expect(secretsInFolder(folder, [PASSWORD, sent])).toEqual([]);
});
