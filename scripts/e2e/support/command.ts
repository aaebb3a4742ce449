import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject, onTestFinished, vi } from 'vitest';
import { runCommandLine } from '../../cli/command-line.ts';

/** The command as it is installed: see `build-command.ts`. */
export const COMMAND = join(inject('installed'), 'dist', 'chat-conformance.js');

/** For processes that find no cache of their own, since their environment is another. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(inject('installed'), 'cache') };

/** What a command printed and how it ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** The environment of the tests, without any key of the developer, and without the way in which they were started. */
function environmentWith(more: Environment): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:(?:CHAT|GITHUB)_|npm_lifecycle_event$)/.test(name) && name !== 'FORCE_COLOR',
  );
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...more };
}

/** Starts the command as a process of its own, in an empty folder unless one is named, with no key but those given. */
export function spawnCommand(
  args: readonly string[],
  environment: Environment = {},
  folder?: string,
): ChildProcess {
  const cwd = folder ?? mkdtempSync(join(tmpdir(), 'command-'));
  const env = environmentWith({ ...COMPILE_CACHE, ...environment });
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  return folder === undefined ? child.once('close', () => rmSync(cwd, { recursive: true })) : child;
}

/** Waits for the end of a process, collecting what it prints. */
export async function resultOf(child: ChildProcess): Promise<CommandResult> {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => (printed[name] += chunk));
  }
  await once(child, 'close');
  return { code: child.exitCode, ...printed };
}

/** What commands print once they listen: each some of it. */
type ReadyLine = Readonly<Record<'url' | 'target' | 'control' | 'ui' | 'ca' | 'defect', string>> & {
  readonly keys: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly pid: number;
};

/** Starts a command that prints one line of JSON when it listens, and ends it after the test, if it has not ended. */
export async function listeningCommand(args: readonly string[], environment?: Environment) {
  const child = spawnCommand(args, environment);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = resultOf(child);
  if (child.stdout === null) throw new Error('it was started without pipes');
  const [line = '{}']: string[] = await once(createInterface({ input: child.stdout }), 'line');
  const ready: ReadyLine = JSON.parse(line);
  const end = (signal: NodeJS.Signals = 'SIGTERM'): Promise<CommandResult> => {
    child.kill(signal);
    return ended;
  };
  return { child, ready, end };
}

/** Runs the command to its end, as a process of its own. */
export function runCommand(args: readonly string[], environment?: Environment): Promise<CommandResult> {
  return resultOf(spawnCommand(args, environment));
}

/** Collects what is written to one of the streams of this process, which gets no listener meanwhile. */
function captured(stream: NodeJS.WriteStream): { readonly text: () => string; readonly release: () => void } {
  let text = '';
  const write = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  const on = vi.spyOn(stream, 'on').mockReturnThis();
  const release = (): void => {
    write.mockRestore();
    on.mockRestore();
  };
  return { text: () => text, release };
}

/**
 * Runs the command in this process, in an empty folder unless one is named, for tests in which the process is not the point: it takes a fraction of the time.
 * One at a time: the environment, the working folder, the streams and the exit code belong to the whole process.
 */
export async function callCommand(
  args: readonly string[],
  environment: Environment = {},
  folder?: string,
): Promise<CommandResult> {
  const { env, exitCode } = process;
  const cwd = process.cwd();
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  const empty = folder === undefined ? mkdtempSync(join(tmpdir(), 'command-')) : undefined;
  Object.assign(process, { env: environmentWith(environment), exitCode: undefined });
  process.chdir(folder ?? empty ?? cwd);
  try {
    await runCommandLine(args);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    Object.assign(process, { env, exitCode });
    process.chdir(cwd);
    if (empty !== undefined) rmSync(empty, { recursive: true });
    for (const { release } of [stdout, stderr]) release();
  }
}
