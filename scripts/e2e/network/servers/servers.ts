import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Program, program } from './programs.ts';

/** A server of others, in a process of its own. */
export interface Server {
  /** Ends the process, and waits until it has ended. */
  readonly stop: () => Promise<void>;
}

/** A proxy that a client names. */
export interface ForwardProxy extends Server {
  readonly port: number;
}

interface Start {
  /** A program of others, or a script for Node by its path. */
  readonly program: Program | { readonly script: string };
  /** It is ready once this port takes connections. */
  readonly port: number;
  /** `FOLDER`, here and in the arguments: the new folder in which they are written. */
  readonly files?: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const LOOKS = 400;
const PAUSE_MS = 25;
const STOP_WITHIN_MS = 4000;

async function startServer({ program: runs, port, files = {}, args, environment }: Start): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  // Some give up their rights, and still write there.
  chmodSync(folder, 0o777);
  for (const [file, text] of Object.entries(files))
    writeFileSync(join(folder, file), text.replaceAll('FOLDER', folder));
  const words = args.map((word) => word.replace('FOLDER', folder));
  const [file, ...more] = typeof runs === 'string' ? [program(runs)] : [process.execPath, runs.script];
  const env = { ...process.env, ...environment };
  const child = spawn(file, [...more, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await ended;
      clearTimeout(late);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (let look = 0; look < LOOKS; look += 1) {
    if (await listens(port)) return { stop };
    if (child.exitCode !== null) break;
    await wait(PAUSE_MS);
  }
  await stop();
  throw new Error(`${file} did not start: ${printed}`);
}

async function listens(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Ports that nothing listens at. They are held until all are found, so that none is found twice. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const holders = await Promise.all(
    Array.from({ length: count }, async () => {
      const holder = createServer();
      await once(holder.listen(0, '127.0.0.1'), 'listening');
      return holder;
    }),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens at a port
  const ports = holders.map((holder) => (holder.address() as AddressInfo).port);
  await Promise.all(holders.map((holder) => once(holder.close(), 'close')));
  return ports;
}

/** nginx with these server blocks; `port`: one that they listen at. */
export function startNginx(blocks: string, port: number): Promise<Server> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path FOLDER/${name};`).join('\n');
  const conf = `
    daemon off;
    master_process off;
    pid FOLDER/nginx.pid;
    error_log stderr crit;
    events { worker_connections 512; }
    http {
      access_log off;
      ${paths}
      client_max_body_size 64m;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_buffering off;
      ${blocks}
    }`;
  const args = ['-e', 'stderr', '-p', 'FOLDER', '-c', 'FOLDER/conf'];
  return startServer({ program: 'nginx', port, files: { conf }, args });
}

/** haproxy with these frontends and backends; `port`: one that they bind. */
export function startHaproxy(sections: string, port: number): Promise<Server> {
  const conf = `
global
  maxconn 500
defaults
  mode http
  retries 0
  timeout connect 2s
  timeout client 60s
  timeout server 60s
${sections}
`;
  return startServer({ program: 'haproxy', port, files: { conf }, args: ['-db', '-q', '-f', 'FOLDER/conf'] });
}

/** Varnish with this VCL, which may need a C compiler; it listens at `port`. */
export function startVarnish(vcl: string, port: number): Promise<Server> {
  const args = `-F -j none -a 127.0.0.1:${port} -f FOLDER/vcl -n FOLDER/work -s malloc,16m`.split(' ');
  return startServer({ program: 'varnishd', port, files: { vcl }, args });
}

/** A script for Node that listens at `port`. */
export function startScript(
  script: string,
  args: readonly string[],
  port: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  return startServer({ program: { script }, port, args, environment });
}

async function startProxy(start: (port: number) => Start): Promise<ForwardProxy> {
  const [port = 0] = await freePorts(1);
  return { port, ...(await startServer(start(port))) };
}

/** tinyproxy with further lines of configuration, such as `BasicAuth user password`. */
export function startTinyproxy(...lines: readonly string[]): Promise<ForwardProxy> {
  return startProxy((port) => {
    const fixed = [`Port ${port}`, 'Listen 127.0.0.1', 'Timeout 60', 'MaxClients 200', 'LogLevel Critical'];
    const conf = [...fixed, ...lines, ''].join('\n');
    return { program: 'tinyproxy', port, files: { conf }, args: ['-d', '-c', 'FOLDER/conf'] };
  });
}

/**
 * squid, which lets everything through that these lines do not forbid. The name gateway.test leads to this machine:
 * nobody else knows it, so that what is reached by it went through this proxy.
 */
export function startSquid(...lines: readonly string[]): Promise<ForwardProxy> {
  return startProxy((port) => {
    const conf = `http_port 127.0.0.1:${port}
pid_filename FOLDER/squid.pid
cache_log FOLDER/cache.log
coredump_dir FOLDER
hosts_file FOLDER/hosts
access_log none
cache deny all
shutdown_lifetime 1 seconds
visible_hostname proxy.test
${lines.join('\n')}
http_access allow all
`;
    const files = { conf, hosts: '127.0.0.1 gateway.test\n' };
    return { program: 'squid', port, files, args: ['-N', '-f', 'FOLDER/conf'] };
  });
}
