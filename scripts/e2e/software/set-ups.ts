import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mock } from '../../../mock-server/start-mock.ts';
import {
  freePorts,
  type Server,
  startHaproxy,
  startNginx,
  startScript,
  startVarnish,
} from '../network/servers/servers.ts';
import { releaseOf } from './install.ts';

/** What a run is pointed at. */
export interface Target extends Server {
  readonly baseUrl: string;
  /** Absent: that of the mock. */
  readonly key?: string;
}

/** Starts somebody else's software in front of the mock, or in its place. */
type SetUp = (mock: Mock) => Promise<Target>;

type Front = (configuration: string, port: number) => Promise<Server>;

async function inFront(
  mock: Mock,
  start: Front,
  configuration: (port: number, origin: string) => string,
): Promise<Target> {
  const [port = 0] = await freePorts(1);
  const server = await start(configuration(port, new URL(mock.url).host), port);
  return { baseUrl: `http://127.0.0.1:${port}/v1`, stop: server.stop };
}

/** nginx with these lines where it passes everything to the mock, these before its server, and these locations beside. */
const nginx =
  (lines: string, before = '', beside = ''): SetUp =>
  (mock) =>
    inFront(mock, startNginx, (port, origin) => {
      const key = mock.keys['primary'] ?? '';
      const location = `location / { proxy_pass http://${origin}; ${lines.replace('KEY', key)} }`;
      return `${before} server { listen 127.0.0.1:${port}; ${location} ${beside} }`;
    });

const haproxy =
  (lines: string): SetUp =>
  (mock) =>
    inFront(
      mock,
      startHaproxy,
      (port, origin) =>
        `frontend front\n  bind 127.0.0.1:${port}\n  ${lines}\n  default_backend mock\nbackend mock\n  server mock ${origin}`,
    );

const varnish =
  (vcl: string): SetUp =>
  (mock) =>
    inFront(mock, startVarnish, (_, origin) => {
      const [host, port] = origin.split(':');
      return `vcl 4.1; backend default { .host = "${host}"; .port = "${port}"; } ${vcl}`;
    });

/** Starts a script of an installed package; `PORT` in its arguments is its port. */
async function startPackage(
  name: string,
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server & { readonly port: number }> {
  const [port = 0] = await freePorts(1);
  const words = args.map((word) => word.replace('PORT', String(port)));
  return { port, ...(await startScript(join(releaseOf(name), script), words, port, env)) };
}

/** It answers GET with 500 on Node 20 and later, so nginx asks the mock itself for all but chats. */
const portkey: SetUp = async (mock) => {
  const gateway = await startPackage('@portkey-ai/gateway', 'build/start-server.js', [
    '--port=PORT',
    '--headless',
  ]);
  const { host } = new URL(mock.url);
  const toGateway = `location = /v1/chat/completions { proxy_pass http://127.0.0.1:${gateway.port};
    proxy_set_header x-portkey-provider openai; proxy_set_header x-portkey-custom-host http://${host}/v1; }`;
  const front = await nginx('', '', toGateway)(mock);
  const stop = async (): Promise<void> => {
    await front.stop();
    await gateway.stop();
  };
  return { ...front, stop };
};

/** One answer for every chat, and one key. */
const aimock: SetUp = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aimock-'));
  const fixtures = [{ match: {}, response: { content: 'The bridge is old, and it holds.' } }];
  writeFileSync(join(folder, 'fixtures.json'), JSON.stringify({ fixtures }));
  const args = ['--port', 'PORT', '--fixtures', join(folder, 'fixtures.json'), '--log-level', 'silent'];
  const key = 'aimock-key-of-these-tests';
  const server = await startPackage('@copilotkit/aimock', 'dist/cli.js', args, { AIMOCK_API_KEYS: key });
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true });
  };
  return { baseUrl: `http://127.0.0.1:${server.port}/v1`, key, stop };
};

const CACHE_ALL = 'sub vcl_recv { if (req.method == "GET") { return (hash); } }';

/** By the name that the table in `docs/software.md` gives them. */
export const SET_UPS: Readonly<Record<string, SetUp>> = {
  'nginx passes everything on': nginx(''),
  'nginx buffers and compresses answers': nginx(
    'gzip on; gzip_types *; gzip_min_length 1; proxy_buffering on;',
  ),
  'nginx limits connections, with a page': nginx(
    'limit_conn one 1; limit_conn_status 429;',
    'limit_conn_zone $binary_remote_addr zone=one:1m;',
  ),
  'nginx limits bodies to 1 KiB, with a page': nginx('client_max_body_size 1k;'),
  'nginx replaces errors with a page': nginx(
    'proxy_intercept_errors on; error_page 400 401 403 404 409 413 422 429 /error.html;',
    '',
    "location = /error.html { internal; return 400 '<html><body>Sorry.</body></html>'; }",
  ),
  'nginx sends a key of its own': nginx("proxy_set_header Authorization 'Bearer KEY';"),
  'nginx caches answers for every key': nginx(
    'proxy_buffering on; proxy_cache all; proxy_cache_valid 200 1m; proxy_ignore_headers Cache-Control Expires Vary;',
    'proxy_cache_path FOLDER/cache keys_zone=all:1m;',
  ),
  'HAProxy passes everything on': haproxy(''),
  'HAProxy hides other paths behind a page': haproxy(
    'http-request deny deny_status 404 unless { path_beg /v1/models /v1/chat/ }',
  ),
  'Varnish passes on what carries a key': varnish(''),
  'Varnish caches answers for every key': varnish(CACHE_ALL),
  'Portkey passes chats to the mock': portkey,
  'aimock answers every chat alike': aimock,
};
