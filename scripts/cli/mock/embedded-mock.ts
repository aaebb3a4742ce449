import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isSecretVariable } from '../../../fixtures/credentials/secret-names.ts';
import type { Keys } from '../../../suites/engine/model/run.ts';
import { ownModule } from '../terminal/own-package.ts';

/** A mock in its own process. */
export interface EmbeddedMock {
  readonly baseUrl: string;
  readonly keys: Keys;
  /** Its control URL; it wants no token. */
  readonly control: string;
  /** Ends the process, and waits until it has ended. */
  readonly stop: () => Promise<void>;
}

const STOP_WITHIN_MS = 5000;

const COMMAND = fileURLToPath(ownModule('chat-conformance'));

/** The mock has no use for the keys of a target, and would want its token too. */
function environmentWithoutSecrets(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !isSecretVariable(name));
  return Object.fromEntries(entries);
}

/**
 * Detached, so that Ctrl-C in a terminal reaches the run alone and what is in flight can end; the channel
 * tells the mock when the run is gone, however it went.
 */
function spawnMock(seed: number, execArgv: readonly string[]): ChildProcess {
  const options = ['--port', '0', '--seed', String(seed), '--control'];
  return spawn(process.execPath, [...execArgv, COMMAND, 'mock', ...options], {
    detached: true,
    env: environmentWithoutSecrets(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

async function readyLine(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the mock was started without pipes');
  const complaint = text(stderr);
  const lines = createInterface({ input: stdout });
  const first: unknown[] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [])]);
  if (typeof first[0] === 'string') return first[0];
  throw new Error(`the mock ended before it was ready: ${(await complaint).trim()}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(late);
}

/** Starts the mock, and returns once it has said that it is ready. */
export async function startEmbeddedMock(
  seed: number,
  execArgv: readonly string[] = process.execArgv,
): Promise<EmbeddedMock> {
  const child = spawnMock(seed, execArgv);
  try {
    const ready: { url: string; keys: Keys; control: string } = JSON.parse(await readyLine(child));
    const { url: baseUrl, keys, control } = ready;
    return { baseUrl, keys, control, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}
