import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, type Server, startServer } from './run-server.ts';

/** A proxy that a client names. */
export interface ForwardProxy extends Server {
  readonly port: number;
}

/** tinyproxy with further lines of configuration, such as `BasicAuth user password`. */
export async function startTinyproxy(...lines: readonly string[]): Promise<ForwardProxy> {
  const [port = 0] = await freePorts(1);
  const fixed = [`Port ${port}`, 'Listen 127.0.0.1', 'Timeout 60', 'MaxClients 200', 'LogLevel Critical'];
  const server = await startServer({
    program: 'tinyproxy',
    port,
    prepare: (folder) => writeFileSync(join(folder, 'tinyproxy.conf'), [...fixed, ...lines, ''].join('\n')),
    args: (folder) => ['-d', '-c', join(folder, 'tinyproxy.conf')],
  });
  return { ...server, port };
}

/**
 * squid, which lets everything through that these lines do not forbid. The name gateway.test leads to this machine:
 * nobody else knows it, so that what is reached by it went through this proxy.
 */
export async function startSquid(...lines: readonly string[]): Promise<ForwardProxy> {
  const [port = 0] = await freePorts(1);
  const server = await startServer({
    program: 'squid',
    port,
    prepare: (folder) => {
      // It gives up its rights, and still writes there.
      chmodSync(folder, 0o777);
      writeFileSync(join(folder, 'hosts'), '127.0.0.1 gateway.test\n');
      writeFileSync(join(folder, 'squid.conf'), squidConfiguration(folder, port, lines));
    },
    args: (folder) => ['-N', '-f', join(folder, 'squid.conf')],
  });
  return { ...server, port };
}

/** microsocks, a SOCKS5 proxy; `credentials`: the only ones that it takes. */
export async function startMicrosocks(
  credentials?: readonly [user: string, password: string],
): Promise<ForwardProxy> {
  const [port = 0] = await freePorts(1);
  const [user = '', password = ''] = credentials ?? [];
  const server = await startServer({
    program: 'microsocks',
    port,
    prepare: () => {},
    args: () => [
      '-i',
      '127.0.0.1',
      '-p',
      String(port),
      ...(credentials === undefined ? [] : ['-u', user, '-P', password]),
    ],
  });
  return { ...server, port };
}

function squidConfiguration(folder: string, port: number, lines: readonly string[]): string {
  return [
    `http_port 127.0.0.1:${port}`,
    `pid_filename ${join(folder, 'squid.pid')}`,
    `cache_log ${join(folder, 'cache.log')}`,
    `coredump_dir ${folder}`,
    `hosts_file ${join(folder, 'hosts')}`,
    'access_log none',
    'cache deny all',
    'shutdown_lifetime 1 seconds',
    'visible_hostname proxy.test',
    ...lines,
    'http_access allow all',
    '',
  ].join('\n');
}
