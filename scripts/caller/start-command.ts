import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as startTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import type { CallerEnd } from '../../suites/caller/timeline.ts';
import { UsageError } from '../cli/terminal/usage-error.ts';
import { callerVariables } from './caller-inputs.ts';
import { endTree, signalGroup } from './process-tree.ts';
import type { StartCaller } from './run-scenario.ts';
import { errorCode } from '../../suites/kit/files/read-json-file.ts';

/** A command, and what bounds it. */
export interface CallerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Milliseconds that it may take for one scenario. */
  readonly deadlineMs: number;
  /** Variables that get the base URL and the key beside the usual ones. */
  readonly names: { readonly baseUrl: readonly string[]; readonly apiKey: readonly string[] };
  readonly signal: AbortSignal;
}

const MOST_OUTPUT = 1_000_000;
const GRACE_MS = 1000;
const MARK = 'CHAT_CONFORMANCE_CALLER';

/** What the user's own target needs is no business of a caller that is put on trial here. */
function inherited(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^CHAT_.*(?:KEY|TOKEN|URL)$/.test(name));
  return Object.fromEntries(entries);
}

/** The end of what a process says: how it ended stands there. */
function collectOutput({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(-MOST_OUTPUT)));
  return () => text;
}

async function begun(child: ChildProcess, program: string): Promise<number> {
  if (child.pid !== undefined) return child.pid;
  const [error]: unknown[] = await once(child, 'error');
  const code = errorCode(error);
  const reason = code === 'ENOENT' ? 'there is no such program' : code;
  throw new UsageError(`cannot start ${JSON.stringify(program)}: ${reason}`);
}

/** Waits for the end, and asks for it when the time is over or the run is interrupted; true: it was asked. */
async function ended(
  child: ChildProcess,
  pid: number,
  { deadlineMs, signal }: CallerCommand,
): Promise<boolean> {
  let isAsked = false;
  const ask = (): void => {
    isAsked = true;
    signalGroup(pid, 'SIGTERM');
    grace = startTimer(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
  };
  let grace: NodeJS.Timeout | undefined;
  const deadline = startTimer(ask, deadlineMs);
  signal.addEventListener('abort', ask);
  await once(child, 'exit');
  clearTimeout(deadline);
  clearTimeout(grace);
  signal.removeEventListener('abort', ask);
  return isAsked;
}

/** What it wrote last may still be in the pipes; who else holds them is not waited for. */
async function drained(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  await Promise.race([closed, setTimeout(GRACE_MS, undefined, patience)]);
  patience.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function endOf(child: ChildProcess, output: string, at: number): CallerEnd {
  if (child.signalCode !== null) return { kind: 'signalled', signal: child.signalCode, output, at };
  return { kind: 'exited', code: child.exitCode ?? 0, output, at };
}

/**
 * Makes the runner of a command: a process group of its own, which is ended with all that it started.
 * The runner rejects with a UsageError where the command cannot be started.
 */
export function startCommand(command: CallerCommand): StartCaller {
  const { program, args, names, deadlineMs } = command;
  return async (place) => {
    command.signal.throwIfAborted();
    const mark = randomUUID();
    const env = { ...inherited(), ...callerVariables(place, names), [MARK]: mark };
    const child = spawn(program, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const pid = await begun(child, program);
    const output = collectOutput(child);
    const closed = once(child, 'close');
    const isStopped = await ended(child, pid, command);
    const at = performance.now();
    endTree(pid, `${MARK}=${mark}`);
    await drained(child, closed);
    return isStopped
      ? { kind: 'stopped', afterMs: deadlineMs, output: output() }
      : endOf(child, output(), at);
  };
}
