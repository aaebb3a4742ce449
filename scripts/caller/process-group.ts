import { type ChildProcess, spawn, spawnSync, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { WrittenPiece } from '../../suites/caller/timeline.ts';
import { FileError, errorCode } from '../../suites/engine/text/read-json-file.ts';

/** A command: words that start a program, or a line for a shell. */
export type Command = string | readonly [program: string, ...args: string[]];

/** The leaders of the groups that this process has to end. */
const running = new Set<number>();
process.once('exit', () => running.forEach(killGroup));

export type ProcessGroup = Awaited<ReturnType<typeof startGroup>>;

/**
 * Starts a command in a process group of its own, which ends with this process, unless that is killed by force. Ctrl-C in
 * the terminal reaches this process alone.
 * @throws {FileError} If it cannot be started.
 */
export async function startGroup(
  command: Command,
  { cwd, env, stdio = ['ignore', 'pipe', 'pipe'] }: Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'> = {},
) {
  const shell = typeof command === 'string';
  const [program, ...args] = shell ? [command] : command;
  // Windows has no groups, and would open a window.
  const apart = process.platform === 'win32' ? { windowsHide: true } : { detached: true };
  try {
    const child = spawn(program, args, { ...apart, cwd, env, stdio, shell });
    await once(child, 'spawn');
    const leader = child.pid ?? 0;
    running.add(leader);
    return {
      child,
      printed: collectOutput(child),
      exited: once(child, 'exit'),
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      signal: (name: NodeJS.Signals) => signalGroup(leader, name),
      /** Ends all of them: politely first, and by force after so many milliseconds. */
      end: async (graceMs: number) => {
        signalGroup(leader, 'SIGTERM');
        const deadline = performance.now() + graceMs;
        while (signalGroup(leader, 0) && performance.now() < deadline) await wait(LOOK_EVERY_MS);
        killGroup(leader);
        running.delete(leader);
      },
    };
  } catch (error) {
    const code = errorCode(error);
    const reason = code === 'ENOENT' && !shell ? 'no such program' : code;
    const place = cwd === undefined ? '' : ` in ${String(cwd)}`;
    throw new FileError(`cannot start ${JSON.stringify(program)}${place}: ${reason}`);
  }
}

const LOOK_EVERY_MS = 10;

/** The exit code of a process as a shell says it: 128 and the number of the signal that ended it. */
export function shellCode({ exitCode, signalCode }: ChildProcess): number {
  return signalCode === null ? (exitCode ?? 0) : 128 + constants.signals[signalCode];
}

const MOST_OUTPUT = 1_000_000;

/** The last part of the output, which shows how the process ended. All is read, so that no pipe is ever full. */
function collectOutput({ stdout, stderr }: ChildProcess) {
  const written: WrittenPiece[] = [];
  let held = 0;
  const collected = { output: '', stderr: '', written };
  const add = (text: string): void => {
    collected.output = (collected.output + text).slice(-MOST_OUTPUT);
    written.push({ at: performance.now(), text });
    held += text.length;
    while (held > MOST_OUTPUT) held -= written.shift()?.text.length ?? held;
  };
  stdout?.setEncoding('utf8').on('data', add);
  stderr?.setEncoding('utf8').on('data', add);
  stderr?.on('data', (text: string) => (collected.stderr = (collected.stderr + text).slice(-MOST_OUTPUT)));
  return collected;
}

/** Whether any of the group still runs; 0 only asks. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // Windows has no groups to signal.
    return process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch {
    return false;
  }
}

function killGroup(leader: number): void {
  // While the leader lives, Windows knows its descendants; nothing else tells them.
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(leader), '/T', '/F']);
  signalGroup(leader, 'SIGKILL');
}

export const PORT = '{port}';

/** A free port, at once: Node tells the port of a listening socket so early only if it listens at every address. */
export function freePort(): number {
  const probe = createServer().on('error', () => {});
  probe.listen(0);
  const address = probe.address();
  probe.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}
