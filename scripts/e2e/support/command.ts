import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const COMMAND = fileURLToPath(new URL('../../chat-conformance.ts', import.meta.url));

/** What a process said and how it ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** Starts the command as a process of its own, in an empty folder, with no key but those given. */
export function spawnCommand(args: readonly string[], environment: Environment = {}): ChildProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:CHAT|GITHUB)_/.test(name) && name !== 'FORCE_COLOR',
  );
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1', ...environment };
  const cwd = mkdtempSync(join(tmpdir(), 'command-'));
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  return child.once('close', () => rmSync(cwd, { recursive: true }));
}

/** Waits for the end of a process, collecting what it says. */
export async function resultOf(child: ChildProcess): Promise<CommandResult> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => (said[name] += chunk));
  }
  await once(child, 'close');
  return { code: child.exitCode, ...said };
}

/** Runs the command to its end. */
export function runCommand(args: readonly string[], environment?: Environment): Promise<CommandResult> {
  return resultOf(spawnCommand(args, environment));
}
