import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../../../suites/kit/files/read-json-file.ts';
import { endGroup, signalGroup } from '../../caller/process-group.ts';
import { UsageError } from '../terminal/exit.ts';
import { type Guard, startGuard } from './guard.ts';

export interface ServiceCommand {
  /** For the shell: /bin/sh, or cmd.exe on Windows. */
  readonly command: string;
  readonly folder: string;
}

/** A service that was started for a run. */
export interface Service {
  /** How its command ended by itself, other than with code 0, which may have left the service in the background. */
  readonly death: () => string | undefined;
  /** The last lines that it printed. */
  readonly lastOutput: () => readonly string[];
  /** Ends its process group: politely first, and by force after `graceMs`. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

const MOST_OUTPUT = 64 * 1024;
const MOST_LINES = 20;
const GRACE_MS = 5000;
const LOOK_EVERY_MS = 10;

/** Starts services one after the other; what is left of the last one ends with this process, whatever ends that. */
export class ServiceStarter {
  readonly #guard: Guard = startGuard();
  #leader: number | undefined;
  readonly #onExit = (): void => {
    if (this.#leader !== undefined) endGroup(this.#leader);
  };

  constructor() {
    process.on('exit', this.#onExit);
  }

  /** @throws {UsageError} When there is no shell, or no folder, to start it. */
  async start({ command, folder }: ServiceCommand): Promise<Service> {
    const child = spawn(command, {
      shell: true,
      cwd: folder,
      // Its own group, and its own session: Ctrl-C in the terminal reaches the run alone. On Windows that would open a
      // window.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid === undefined) {
      const [error]: unknown[] = await once(child, 'error');
      throw new UsageError(`cannot start ${JSON.stringify(command)} in ${folder} (${errorCode(error)})`);
    }
    this.#watch(child.pid);
    return serviceOf(child, (graceMs) => this.#end(graceMs));
  }

  /** Ends what is left. */
  async close(): Promise<void> {
    await this.#end(GRACE_MS);
    this.#guard.close();
    process.off('exit', this.#onExit);
  }

  #watch(leader: number | undefined): void {
    this.#leader = leader;
    this.#guard.watch(leader);
  }

  async #end(graceMs: number): Promise<void> {
    const leader = this.#leader;
    if (leader === undefined) return;
    signalGroup(leader, 'SIGTERM');
    const deadline = performance.now() + graceMs;
    while (signalGroup(leader, 0) && performance.now() < deadline) await wait(LOOK_EVERY_MS);
    endGroup(leader);
    this.#watch(undefined);
  }
}

function serviceOf(child: ChildProcess, end: (graceMs: number) => Promise<void>): Service {
  const lastOutput = outputOf(child);
  let isStopped = false;
  let death: string | undefined;
  child.once('exit', (code, signal) => {
    if (!isStopped && code !== 0) death = signal ?? `exit code ${code}`;
  });
  return {
    death: () => death,
    lastOutput,
    stop: async (graceMs = GRACE_MS) => {
      isStopped = true;
      await end(graceMs);
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}

/** Reads everything, so that no pipe is ever full, and keeps the end of it. */
function outputOf({ stdout, stderr }: ChildProcess): () => readonly string[] {
  let text = '';
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(-MOST_OUTPUT)));
  return () => (text.trim() === '' ? [] : text.trimEnd().split(/\r?\n/).slice(-MOST_LINES));
}
