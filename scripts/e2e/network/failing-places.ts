import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mock, startMock } from '../../../mock-server/start-mock.ts';
import { bothIn, type Certificate, makeAuthority } from './servers/authority.ts';
import {
  freePorts,
  type Server,
  startHaproxy,
  startNginx,
  startSquid,
  startTinyproxy,
} from './servers/servers.ts';

type Ports = Readonly<
  Record<'gateway' | 'secure' | 'strict' | 'expired' | 'other' | 'selfSigned' | 'alerting' | 'nobody', number>
>;

export type FailingPlaces = Awaited<ReturnType<typeof startFailingPlaces>>;

/** Servers that each fail in another way, and what it takes to see that. Nothing listens at `nobody`. */
export async function startFailingPlaces() {
  const folder = mkdtempSync(join(tmpdir(), 'failures-'));
  const mock = await startMock();
  const found = await freePorts(8);
  const [gateway = 0, secure = 0, strict = 0, expired = 0, other = 0, selfSigned = 0] = found;
  const [alerting = 0, nobody = 0] = found.slice(6);
  const ports = { gateway, secure, strict, expired, other, selfSigned, alerting, nobody };
  const certificates = makeCertificates();
  const { authority, stranger } = certificates;
  // The password of "runner" is "gate-0123".
  writeFileSync(join(folder, 'users'), 'runner:{PLAIN}gate-0123\n');
  const proxies = {
    locked: await startTinyproxy('BasicAuth runner letmein0123'),
    open: await startTinyproxy(),
    tunnelless: await startSquid('acl tunnel method CONNECT', 'http_access deny tunnel'),
    closed: await startSquid('http_access deny all'),
  };
  const servers = [
    ...Object.values<Server>(proxies),
    await startNginx(nginxBlocks(mock, ports, certificates, folder), gateway),
    await startHaproxy(haproxySections(ports, certificates), alerting),
  ];
  return {
    mock,
    ports,
    proxies,
    files: { ca: authority.cert, stranger: stranger.cert, strangerKey: stranger.key },
    stop: () => stopAll(servers, mock, certificates, folder),
  };
}

type Certificates = ReturnType<typeof makeCertificates>;

async function stopAll(
  servers: readonly Server[],
  mock: Mock,
  { authority, elsewhere }: Certificates,
  folder: string,
): Promise<void> {
  for (const server of servers) await server.stop();
  await mock.close();
  authority.remove();
  elsewhere.remove();
  rmSync(folder, { recursive: true });
}

/** The certificates of the servers; `stranger`: of a client that another authority knows. */
function makeCertificates() {
  const authority = makeAuthority('Test authority');
  const elsewhere = makeAuthority('Authority of elsewhere');
  return {
    authority,
    elsewhere,
    good: authority.issue('gateway', 'DNS:localhost'),
    expired: authority.issue('expired', 'DNS:localhost', -1),
    other: authority.issue('other', 'DNS:other.test'),
    stranger: elsewhere.issue('stranger', 'DNS:stranger'),
  };
}

function tls({ cert, key }: Certificate): string {
  return `ssl_certificate ${cert}; ssl_certificate_key ${key};`;
}

function nginxBlocks(mock: Mock, ports: Ports, certificates: Certificates, folder: string): string {
  const { authority, good, expired, other, elsewhere } = certificates;
  const { origin } = new URL(mock.url);
  const pass = `location /v1/ { proxy_pass ${origin}; }`;
  return `
    server { listen 127.0.0.1:${ports.gateway};
      location /v1/ { proxy_pass ${origin}; }
      location /login/ { return 302 https://login.test/start?state=s3cret; }
      location /moved/v1/ { return 308 http://127.0.0.1:${ports.gateway}/v1/models; }
      location /users/v1/ { auth_basic "Team"; auth_basic_user_file ${join(folder, 'users')}; proxy_pass ${origin}/v1/; }
      location /header/v1/ { if ($http_x_team = "") { return 403; } proxy_pass ${origin}/v1/; }
      location /page/ { default_type text/html; return 200 "<html><head><title>Welcome</title></head></html>"; }
      location /late/v1/ { proxy_pass http://127.0.0.1:${ports.nobody}; }
      location /soon/v1/ { add_header Retry-After 7 always; return 503; }
    }
    server { listen 127.0.0.1:${ports.secure} ssl; ${tls(good)} ${pass} }
    server { listen 127.0.0.1:${ports.strict} ssl; ${tls(good)} ${pass}
      ssl_client_certificate ${authority.cert}; ssl_verify_client on; }
    server { listen 127.0.0.1:${ports.expired} ssl; ${tls(expired)} ${pass} }
    server { listen 127.0.0.1:${ports.other} ssl; ${tls(other)} ${pass} }
    server { listen 127.0.0.1:${ports.selfSigned} ssl; ${tls(elsewhere)} ${pass} }`;
}

function haproxySections({ alerting, nobody }: Ports, { authority, good }: Certificates): string {
  return `
frontend alerting
  bind 127.0.0.1:${alerting} ssl crt ${bothIn(good)} ca-file ${authority.cert} verify required
  default_backend nobody
backend nobody
  server one 127.0.0.1:${nobody}`;
}
