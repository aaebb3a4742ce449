import type { CallerEnd } from '../../suites/caller/timeline.ts';
import type { TaskItem } from './scenarios.ts';

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
export type VariableNames = Readonly<Partial<Record<'baseUrl' | 'apiKey' | 'model', readonly string[]>>>;

/** The inputs as environment variables. */
export function callerVariables(
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

/** The content of `CHAT_TASK`, as JSON. */
export interface CallerTask {
  readonly version: 1;
  readonly scenario: string;
  /** How many items to have in flight at once. */
  readonly atOnce: number;
  /** The items; drivers rely on this key. */
  readonly wishes: readonly TaskItem[];
}
