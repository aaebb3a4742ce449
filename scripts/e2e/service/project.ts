import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { callCommand, COMMAND, COMPILE_CACHE, type CommandResult } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

/** A project of an implementer: a folder with files, in which the command runs. */
export interface Project {
  readonly folder: string;
  /** The environment of its commands. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (name: string, text: string) => void;
  /** Runs the command there, in this process. */
  readonly call: (...args: readonly string[]) => Promise<CommandResult>;
  /** Starts the command there, in a process of its own. */
  readonly command: (...args: readonly string[]) => ChildProcess;
  /** The same, with everything that it prints in its order, on standard output. */
  readonly commandInOrder: (...args: readonly string[]) => ChildProcess;
}

export function makeProject(files: Readonly<Record<string, string>> = {}): Project {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const key = { CHAT_API_KEY: primaryKey() };
  const env = { PATH: process.env['PATH'], NO_COLOR: '1', ...key, ...COMPILE_CACHE };
  const options = { cwd: folder, env, stdio: 'pipe' } as const;
  return {
    folder,
    environment: env,
    write,
    call: (...args) => callCommand(args, key, folder),
    command: (...args) => spawn(process.execPath, [COMMAND, ...args], options),
    commandInOrder: (...args) =>
      spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, COMMAND, ...args], options),
  };
}

function primaryKey(): string {
  const [first] = builtInWorld.keys;
  if (first === undefined) throw new Error('the built-in world has no key');
  return first.key;
}

/** A command for a shell that serves the mock. */
export function mockCommand(port: string, ...options: readonly string[]): string {
  return [`"${process.execPath}"`, `"${COMMAND}"`, 'mock', '--port', port, ...options].join(' ');
}

/** Whether a process lives. One that has ended has no command line, even if nobody has waited for it. */
export function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && readFileSync(file, 'latin1') !== '';
}
