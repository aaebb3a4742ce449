import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { errorCode } from '../../../suites/engine/text/read-json-file.ts';
import { collectOutput, endGroup, freePort, killGroup } from '../../caller/start-command.ts';
import type { ResolvedFlags } from '../options/check-table.ts';
import { UsageError } from '../terminal/exit.ts';

export interface ServiceCommand {
  /** For the shell: /bin/sh, or cmd.exe on Windows. */
  readonly command: string;
  readonly folder: string;
}

/** A service that was started for a run. */
export interface StartedService {
  /** How its command ended, other than with code 0, which may have left the service in the background. */
  readonly death: () => string | undefined;
  /** The last part of what it printed. */
  readonly printed: () => string;
  /** Ends its process group: politely first, and by force after so many milliseconds. */
  readonly stop: (graceMs: number) => Promise<void>;
}

const MOST_OUTPUT = 64 * 1024;

/**
 * Runs `$1` with a reader in its process group, whose input ends with this process, however that ends, by kill -9 too:
 * the reader then kills the group. It is no child of the command, which may wait for all of its children.
 */
const WITH_READER = '( (read -r line <&3; kill -KILL 0) >/dev/null 2>&1 & ); exec /bin/sh -c "$1" 3<&-';

/**
 * Starts a service in a process group of its own, which ends with this process.
 * @throws {UsageError} When there is no shell, or no folder, to start it.
 */
export async function startService({ command, folder }: ServiceCommand): Promise<StartedService> {
  const child = spawned(command, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const leader = child.pid;
  if (leader === undefined) {
    const [error]: unknown[] = await once(child, 'error');
    throw new UsageError(`cannot start ${JSON.stringify(command)} in ${folder} (${errorCode(error)})`);
  }
  const onExit = (): void => killGroup(leader);
  process.on('exit', onExit);
  const collected = collectOutput(child, MOST_OUTPUT);
  return {
    death: () =>
      child.signalCode ?? ((child.exitCode ?? 0) === 0 ? undefined : `exit code ${child.exitCode}`),
    printed: () => collected.output,
    stop: async (graceMs) => {
      await endGroup(leader, graceMs);
      process.off('exit', onExit);
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}

function spawned(command: string, options: SpawnOptions): ChildProcess {
  // Windows has no groups, and would open a window for a detached process.
  if (process.platform === 'win32') return spawn(command, { ...options, shell: true, windowsHide: true });
  // A session of its own: Ctrl-C in the terminal reaches the run alone.
  return spawn('/bin/sh', ['-c', WITH_READER, 'sh', command], { ...options, detached: true });
}

/** Where a free port goes. */
export const PORT = '{port}';

/**
 * The flags with a free port of the loopback address in place of `{port}`: in the command that starts the service, in the
 * base URL and in the control URL.
 * @throws {UsageError} Given `{port}` in a URL and no command that gets it too.
 */
export function fillPort(flags: ResolvedFlags): ResolvedFlags {
  const { start, baseUrl, controlUrl } = flags;
  const texts = Object.entries({ start, baseUrl, controlUrl });
  const filled = texts.flatMap(([name, text]) => (text?.includes(PORT) === true ? [{ name, text }] : []));
  if (filled.length === 0) return flags;
  if (start?.includes(PORT) !== true)
    throw new UsageError(
      `${PORT} in a URL requires ${PORT} in --start: it is the port on which the service listens`,
    );
  const port = String(freePort());
  return {
    ...flags,
    ...Object.fromEntries(filled.map(({ name, text }) => [name, text.replaceAll(PORT, port)])),
  };
}
