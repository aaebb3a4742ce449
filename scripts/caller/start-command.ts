import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { isSecretVariable } from '../../fixtures/credentials/secret-names.ts';
import type { CallerEnd, CallerEndFacts } from '../../suites/caller/timeline.ts';
import { type Command, startGroup } from './process-group.ts';
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
  /** An empty folder for what outlives a process. */
  readonly folder: string;
  /** Whether its server is killed, started anew and driven again. */
  readonly restarts: boolean;
  /** The file to which a driver appends a line for each request; it does not exist yet. */
  readonly record: string;
}

/** Runs a caller to its end. The time of the end is that of `performance.now()`. */
export type StartCaller = (inputs: CallerInputs) => Promise<CallerEnd>;

/** More variables that get the base URL, the key and a model ID. */
type VariableNames = Readonly<Partial<Record<'baseUrl' | 'apiKey' | 'model', readonly string[]>>>;

/** The inputs as environment variables, beside what is inherited. */
export function callerEnvironment(
  inputs: CallerInputs,
  { baseUrl = [], apiKey = [], model = [] }: VariableNames,
): NodeJS.ProcessEnv {
  const named = [
    ...['OPENAI_BASE_URL', 'CHAT_BASE_URL', ...baseUrl].map((name) => [name, inputs.baseUrl]),
    ...['OPENAI_API_KEY', 'CHAT_API_KEY', ...apiKey].map((name) => [name, inputs.apiKey]),
    ...['CHAT_MODEL', ...model].map((name) => [name, inputs.model]),
  ];
  return {
    ...inheritedEnvironment(),
    ...Object.fromEntries(named),
    CHAT_OTHER_BASE_URL: inputs.otherBaseUrl,
    CHAT_OTHER_API_KEY: inputs.otherApiKey,
    CHAT_CONTROL_URL: inputs.controlUrl,
    CHAT_TIMEOUT_MS: String(inputs.timeoutMs),
    CHAT_TASK: JSON.stringify(inputs.task),
    CHAT_FOLDER: inputs.folder,
    CHAT_RECORD: inputs.record,
  };
}

/** What holds for every command that is judged. */
export interface CallerLimits {
  /** Milliseconds that one scenario may take. */
  readonly deadlineMs: number;
  readonly names: VariableNames;
  /** When aborted, the command ends. */
  readonly signal: AbortSignal;
}

/** The environment without the keys and URLs of the user's own target. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !isSecretVariable(name) && !/^CHAT_.*URL$/.test(name),
  );
  return Object.fromEntries(entries);
}

/** Aborted when the time of a scenario is over, or the run is. */
export function overAfter({ signal, deadlineMs }: CallerLimits): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
}

/** How long what is ended politely may take. */
export const GRACE_MS = 1000;

/**
 * Runs a command to its end, or until `over`, and ends all that it started.
 * @throws {FileError} If it cannot be started.
 */
export async function runGroup(command: Command, env: NodeJS.ProcessEnv, over: AbortSignal) {
  const { child, printed, exited, end } = await startGroup(command, { env });
  const closed = once(child, 'close');
  await Promise.race([exited, once(over, 'abort')]);
  const at = performance.now();
  await end(over.aborted ? GRACE_MS : 0);
  // What is still in the pipes is read for a moment: another process may hold them open.
  await Promise.race([closed, wait(GRACE_MS, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return { child, at, ...printed };
}

/** How a process ended by itself. */
export function endOf({ exitCode, signalCode }: ChildProcess, about: CallerEndFacts): CallerEnd {
  return signalCode === null
    ? { kind: 'exited', code: exitCode ?? 0, ...about }
    : { kind: 'signalled', signal: signalCode, ...about };
}

/**
 * Makes a `StartCaller` that runs a command in its own process group, and ends that group: politely first where the
 * deadline passed or the run was interrupted.
 * It rejects with a FileError if the command cannot be started.
 */
export function startCommand(command: Command, limits: CallerLimits): StartCaller {
  return async (inputs) => {
    limits.signal.throwIfAborted();
    const over = overAfter(limits);
    const { child, ...ended } = await runGroup(command, callerEnvironment(inputs, limits.names), over);
    return over.aborted ? { kind: 'stopped', afterMs: limits.deadlineMs, ...ended } : endOf(child, ended);
  };
}
