import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCommand } from '../support/command.ts';
import { startFailingPlaces, type FailingPlaces } from './failing-places.ts';
import { skipWithout } from './servers/programs.ts';

const isEquipped = skipWithout('nginx', 'haproxy', 'tinyproxy', 'squid', 'openssl');

const KEY = 'sk-no-key-of-the-mock';
const WRONG = 'wrong-0123';

let places: FailingPlaces;
beforeAll(async () => {
  if (isEquipped) places = await startFailingPlaces();
});
afterAll(() => places?.stop());

/** The arguments that lead to a failure, and the environment. */
type Way = () => readonly [args: readonly string[], environment?: Readonly<Record<string, string>>];

const http = (port: number, prefix = ''): readonly string[] => [
  '--base-url',
  `http://127.0.0.1:${port}${prefix}/v1`,
];
const https = (port: number): readonly string[] => [
  '--base-url',
  `https://localhost:${port}/v1`,
  '--ca',
  places.files.ca,
];
const via = (port: number): readonly string[] => ['--proxy', `http://127.0.0.1:${port}`];

const stranger = (): readonly string[] => [
  '--cert',
  places.files.stranger,
  '--cert-key',
  places.files.strangerKey,
];
/** A target with TLS, whose authority is not passed. */
const untrusted = (port: number): readonly string[] => ['--base-url', `https://localhost:${port}/v1`];

/** By the name of the failure in `docs/network.md`. */
const WAYS: Readonly<Record<string, Way>> = {
  'the name is not found': () => [['--base-url', 'https://no-such-host.invalid/v1']],
  'nothing listens at the address': () => [http(places.ports.nobody)],
  'the certificate comes from a private authority': () => [untrusted(places.ports.secure)],
  'the certificate is self-signed': () => [untrusted(places.ports.selfSigned)],
  'the certificate has expired': () => [https(places.ports.expired)],
  'the certificate is for another name': () => [https(places.ports.other)],
  'https:// where there is no TLS': () => [https(places.ports.gateway)],
  'http:// where there is TLS (nginx)': () => [http(places.ports.secure)],
  'http:// where there is TLS (haproxy)': () => [http(places.ports.alerting)],
  'a client certificate is required (nginx)': () => [https(places.ports.strict)],
  'a client certificate is required (haproxy)': () => [https(places.ports.alerting)],
  'the client certificate is refused (nginx)': () => [[...https(places.ports.strict), ...stranger()]],
  'the client certificate is refused (haproxy)': () => [[...https(places.ports.alerting), ...stranger()]],
  'nothing listens at the proxy': () => [[...https(places.ports.secure), ...via(places.ports.nobody)]],
  'the name of the proxy is not found': () => [
    [...https(places.ports.secure), '--proxy', 'http://no-such-proxy.invalid:3128'],
  ],
  'the proxy requires credentials (tunnel)': () => [
    [...https(places.ports.secure), ...via(places.proxies.locked.port)],
  ],
  'the proxy requires credentials (no tunnel)': () => [
    [...http(places.ports.gateway), ...via(places.proxies.locked.port)],
  ],
  'the proxy refuses the credentials (tunnel)': () => [
    [...https(places.ports.secure), ...via(places.proxies.locked.port)],
    { CHAT_PROXY_AUTH: `runner:${WRONG}` },
  ],
  'the proxy refuses the credentials (no tunnel)': () => [
    [...http(places.ports.gateway), ...via(places.proxies.locked.port)],
    { CHAT_PROXY_AUTH: `runner:${WRONG}` },
  ],
  'the proxy refuses the tunnel': () => [
    [...https(places.ports.secure), ...via(places.proxies.tunnelless.port)],
  ],
  'the proxy forwards nothing': () => [[...http(places.ports.gateway), ...via(places.proxies.closed.port)]],
  'the proxy cannot reach the target (tunnel)': () => [
    [...https(places.ports.nobody), ...via(places.proxies.open.port)],
  ],
  'the proxy cannot reach the target (no tunnel)': () => [
    [...http(places.ports.nobody), ...via(places.proxies.open.port)],
  ],
  'a private authority behind a proxy': () => [
    [...untrusted(places.ports.secure), ...via(places.proxies.open.port)],
  ],
  'a redirect to the same service': () => [http(places.ports.gateway, '/moved')],
  'a redirect elsewhere': () => [http(places.ports.gateway, '/login')],
  'a gateway requires a login': () => [http(places.ports.gateway, '/users')],
  'a gateway requires a header': () => [http(places.ports.gateway, '/header')],
  'the service refuses the key': () => [http(places.ports.gateway)],
  'the path before /v1 is wrong': () => [http(places.ports.gateway, '/nowhere')],
  'an HTML page instead of JSON': () => [http(places.ports.gateway, '/page')],
  'the service is still starting': () => [http(places.ports.gateway, '/late')],
  'the service asks to try again later': () => [http(places.ports.gateway, '/soon')],
};

/** The failures of the documentation, each with its line. */
const DOCUMENTED = tableUnder('## Failures');

function tableUnder(heading: string): readonly (readonly [failure: string, line: string])[] {
  const text = readFileSync(new URL('../../../docs/network.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split(heading);
  const [, , ...rows] = (section.split('\n## ', 1)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.map((row) => {
    const [, failure = '', line = ''] = row.split('|').map((cell) => cell.trim());
    return [failure, line];
  });
}

/** `…` stands for anything. */
function patternOf(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`${parts.join('.+')}$`);
}

test('documents each failure that is provoked here, and no other', () => {
  expect(DOCUMENTED.map(([failure]) => failure)).toEqual(Object.keys(WAYS));
});

test.each(DOCUMENTED)('ends with one line given that %s', async (failure, line) => {
  const [args, environment] = WAYS[failure]?.() ?? [[]];
  const keys = { CHAT_API_KEY: KEY, ...environment };
  const { code, stderr } = await callCommand(['--quiet', '--seed', '1', ...args], keys);
  const [said = '', ...rest] = stderr.split('\n');
  expect(said).toMatch(/^error: /);
  expect(said).toMatch(patternOf(line));
  expect({ code, others: rest.filter((each) => each.includes('error:')) }).toEqual({ code: 4, others: [] });
  expect(said).not.toContain('s3cret');
  for (const secret of [KEY, WRONG]) expect(stderr).not.toContain(secret);
});

test('gets through a gateway once it is given the header that the line asks for', async () => {
  const args = [...http(places.ports.gateway, '/header'), '--header', 'x-team: blue', '--only', 'models'];
  const key = { CHAT_API_KEY: places.mock.keys['primary'] ?? '' };
  const { code, stderr } = await callCommand(['--quiet', '--seed', '1', ...args], key);
  expect({ code, error: stderr.includes('error:') }).toEqual({ code: 0, error: false });
});
