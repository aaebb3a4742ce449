import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Program, program } from './programs.ts';

/** A server of others, in a process of its own. */
export interface Server {
  /** Ends the process, and waits until it has ended. */
  readonly stop: () => Promise<void>;
}

/** How a server is started: its files are written to a new folder first. */
interface Start {
  readonly program: Program;
  readonly args: (folder: string) => readonly string[];
  /** Files to write, given the folder. */
  readonly prepare: (folder: string) => void;
  /** It is ready once this port takes connections. */
  readonly port: number;
}

const LOOKS = 400;
const PAUSE_MS = 25;
const STOP_WITHIN_MS = 4000;

export async function startServer({ program: name, args, prepare, port }: Start): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  prepare(folder);
  const child = spawn(program(name), args(folder), { stdio: ['ignore', 'pipe', 'pipe'] });
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
  throw new Error(`${name} did not start: ${printed}`);
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
