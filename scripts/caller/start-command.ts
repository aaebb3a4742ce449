import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as startTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { isSecretVariable } from '../../fixtures/credentials/secret-names.ts';
import type { CallerEnd } from '../../suites/caller/observed/timeline.ts';
import { errorCode } from '../../suites/kit/files/read-json-file.ts';
import { callerVariables, type VariableNames } from './caller-inputs.ts';
import { endGroup, signalGroup } from './process-group.ts';
import type { StartCaller } from './try-caller.ts';

export class StartError extends Error {
  override readonly name = 'StartError';
}

export interface CallerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Milliseconds that one scenario may take. */
  readonly deadlineMs: number;
  readonly names: VariableNames;
  readonly signal: AbortSignal;
}

const MOST_OUTPUT = 1_000_000;
const GRACE_MS = 1000;

/** Without the keys and URLs of the user's own target. */
function inherited(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !isSecretVariable(name) && !/^CHAT_.*URL$/.test(name),
  );
  return Object.fromEntries(entries);
}

interface Output {
  readonly output: string;
  readonly stderr: string;
}

/** The last part of the output, which shows how the process ended. */
function collectOutput({ stdout, stderr }: ChildProcess): () => Output {
  const collected = { output: '', stderr: '' };
  const add = (name: keyof Output, chunk: string): void => {
    collected[name] = (collected[name] + chunk).slice(-MOST_OUTPUT);
  };
  stdout?.setEncoding('utf8').on('data', (chunk: string) => add('output', chunk));
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    add('output', chunk);
    add('stderr', chunk);
  });
  return () => collected;
}

/** Some errors are thrown at once: arguments that are too long, or that no program can get. */
function spawned(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  try {
    return spawn(program, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new StartError(`cannot start ${JSON.stringify(program)}: ${errorCode(error)}`);
  }
}

async function begun(child: ChildProcess, program: string): Promise<number> {
  if (child.pid !== undefined) return child.pid;
  const [error]: unknown[] = await once(child, 'error');
  const code = errorCode(error);
  const reason = code === 'ENOENT' ? 'no such program' : code;
  throw new StartError(`cannot start ${JSON.stringify(program)}: ${reason}`);
}

/** Waits for the end; terminates the process at the deadline or when the run is interrupted, and then returns true. */
async function ended(
  child: ChildProcess,
  pid: number,
  { deadlineMs, signal }: CallerCommand,
): Promise<boolean> {
  let isTerminated = false;
  const terminate = (): void => {
    isTerminated = true;
    // An interruption may follow the deadline: only the latest timer is cleared at the end.
    clearTimeout(grace);
    signalGroup(pid, 'SIGTERM');
    grace = startTimer(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
  };
  let grace: NodeJS.Timeout | undefined;
  const deadline = startTimer(terminate, deadlineMs);
  signal.addEventListener('abort', terminate);
  await once(child, 'exit');
  clearTimeout(deadline);
  clearTimeout(grace);
  signal.removeEventListener('abort', terminate);
  return isTerminated;
}

/** Reads what is still in the pipes, for a moment: another process may hold them open. */
async function drained(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([closed, setTimeout(GRACE_MS, undefined, timer)]);
  timer.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function endOf(child: ChildProcess, output: Output, at: number): CallerEnd {
  if (child.signalCode !== null) return { kind: 'signalled', signal: child.signalCode, ...output, at };
  return { kind: 'exited', code: child.exitCode ?? 0, ...output, at };
}

/**
 * Makes a `StartCaller` that runs a command in its own process group, and ends that group.
 * It rejects with a StartError if the command cannot be started.
 */
export function startCommand(command: CallerCommand): StartCaller {
  const { program, args, names, deadlineMs } = command;
  return async (inputs) => {
    command.signal.throwIfAborted();
    const child = spawned(program, args, { ...inherited(), ...callerVariables(inputs, names) });
    const pid = await begun(child, program);
    const output = collectOutput(child);
    const closed = once(child, 'close');
    const isStopped = await ended(child, pid, command);
    const at = performance.now();
    endGroup(pid);
    await drained(child, closed);
    return isStopped ? { kind: 'stopped', afterMs: deadlineMs, ...output() } : endOf(child, output(), at);
  };
}
