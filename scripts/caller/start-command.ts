import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isSecretVariable } from '../../fixtures/credentials/secret-names.ts';
import type { CallerEnd } from '../../suites/caller/timeline.ts';
import { FileError, errorCode } from '../../suites/engine/text/read-json-file.ts';
import type { CallerTask } from './scenarios.ts';

/** Everything that a caller is given. */
export interface CallerInputs {
  /** Ends in /v1. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Another provider, for callers that know of one. */
  readonly otherBaseUrl: string;
  readonly otherApiKey: string;
  /** Where the caller can look its requests up in the workspace. */
  readonly controlUrl: string;
  /** Milliseconds to wait for an answer. */
  readonly timeoutMs: number;
  /** A listed model ID, for applications that take theirs from their configuration. */
  readonly model: string;
  readonly task: CallerTask;
  /** The file to which a driver appends a line for each request; it does not exist yet. */
  readonly record: string;
}

/** Runs a caller to its end. The time of the end is that of `performance.now()`. */
export type StartCaller = (inputs: CallerInputs) => Promise<CallerEnd>;

/** More variables that get the base URL, the key and a model ID. */
type VariableNames = Readonly<Partial<Record<'baseUrl' | 'apiKey' | 'model', readonly string[]>>>;

/** The inputs as environment variables. */
function callerVariables(
  inputs: CallerInputs,
  { baseUrl = [], apiKey = [], model = [] }: VariableNames,
): Readonly<Record<string, string>> {
  const named = [
    ...['OPENAI_BASE_URL', 'CHAT_BASE_URL', ...baseUrl].map((name) => [name, inputs.baseUrl]),
    ...['OPENAI_API_KEY', 'CHAT_API_KEY', ...apiKey].map((name) => [name, inputs.apiKey]),
    ...['CHAT_MODEL', ...model].map((name) => [name, inputs.model]),
  ];
  return {
    ...Object.fromEntries(named),
    CHAT_OTHER_BASE_URL: inputs.otherBaseUrl,
    CHAT_OTHER_API_KEY: inputs.otherApiKey,
    CHAT_CONTROL_URL: inputs.controlUrl,
    CHAT_TIMEOUT_MS: String(inputs.timeoutMs),
    CHAT_TASK: JSON.stringify(inputs.task),
    CHAT_RECORD: inputs.record,
  };
}

export interface CallerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Milliseconds that one scenario may take. */
  readonly deadlineMs: number;
  readonly names: VariableNames;
  /** When aborted, the command ends. */
  readonly signal: AbortSignal;
}

/** The environment without the keys and URLs of the user's own target. */
function inherited(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !isSecretVariable(name) && !/^CHAT_.*URL$/.test(name),
  );
  return Object.fromEntries(entries);
}

/** Starts the command in a process group of its own. Some errors are thrown at once: arguments that are too long. */
async function started({ program, args, names }: CallerCommand, inputs: CallerInputs): Promise<ChildProcess> {
  try {
    const env = { ...inherited(), ...callerVariables(inputs, names) };
    const child = spawn(program, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    const code = errorCode(error);
    const reason = code === 'ENOENT' ? 'no such program' : code;
    throw new FileError(`cannot start ${JSON.stringify(program)}: ${reason}`);
  }
}

const MOST_OUTPUT = 1_000_000;
const GRACE_MS = 1000;

/** The last part of the output, which shows how the process ended. All is read, so that no pipe is ever full. */
export function collectOutput(
  { stdout, stderr }: ChildProcess,
  mostCharacters = MOST_OUTPUT,
): Readonly<Record<'output' | 'stderr', string>> {
  const collected = { output: '', stderr: '' };
  const add = (name: keyof typeof collected) => (chunk: string) => {
    collected[name] = (collected[name] + chunk).slice(-mostCharacters);
  };
  stdout?.setEncoding('utf8').on('data', add('output'));
  stderr?.setEncoding('utf8').on('data', add('output')).on('data', add('stderr'));
  return collected;
}

/**
 * Makes a `StartCaller` that runs a command in its own process group, and ends that group: politely first where the
 * deadline passed or the run was interrupted.
 * It rejects with a FileError if the command cannot be started.
 */
export function startCommand(command: CallerCommand): StartCaller {
  return async (inputs) => {
    command.signal.throwIfAborted();
    const child = await started(command, inputs);
    const output = collectOutput(child);
    const over = AbortSignal.any([command.signal, AbortSignal.timeout(command.deadlineMs)]);
    const [exited, closed] = [once(child, 'exit'), once(child, 'close')];
    await Promise.race([exited, once(over, 'abort')]);
    const at = performance.now();
    await endGroup(child.pid ?? 0, over.aborted ? GRACE_MS : 0);
    // What is still in the pipes is read for a moment: another process may hold them open.
    await Promise.race([closed, wait(GRACE_MS, undefined, { ref: false })]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    if (over.aborted) return { kind: 'stopped', afterMs: command.deadlineMs, ...output };
    return child.signalCode === null
      ? { kind: 'exited', code: child.exitCode ?? 0, ...output, at }
      : { kind: 'signalled', signal: child.signalCode, ...output, at };
  };
}

const LOOK_EVERY_MS = 10;

/** Ends a process that was started detached, and all that it started in its group: by force after so many milliseconds. */
export async function endGroup(leader: number, graceMs: number): Promise<void> {
  signalGroup(leader, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (signalGroup(leader, 0) && performance.now() < deadline) await wait(LOOK_EVERY_MS);
  killGroup(leader);
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

/** A free port, at once: Node tells the port of a listening socket so early only if it listens at every address. */
export function freePort(): number {
  const probe = createServer().on('error', () => {});
  probe.listen(0);
  const address = probe.address();
  probe.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}

/** Kills what is left of a group. */
export function killGroup(leader: number): void {
  // While the leader lives, Windows knows its descendants; nothing else tells them.
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(leader), '/T', '/F']);
  signalGroup(leader, 'SIGKILL');
}
