import { readFileSync } from 'node:fs';
import type { DriverRecord } from '../../suites/caller/observed/timeline.ts';
import { isJsonObject } from '../../suites/kit/reading/json.ts';
import type { CallerScenario, TaskItem } from './scenarios.ts';

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

/** More variables that get the base URL, the key and a model ID. */
export type VariableNames = Readonly<Record<'baseUrl' | 'apiKey' | 'model', readonly string[]>>;

export const NO_MORE_NAMES: VariableNames = { baseUrl: [], apiKey: [], model: [] };

/** The inputs as environment variables. */
export function callerVariables(
  inputs: CallerInputs,
  names: VariableNames,
): Readonly<Record<string, string>> {
  const urls = ['OPENAI_BASE_URL', 'CHAT_BASE_URL', ...names.baseUrl].map((name) => [name, inputs.baseUrl]);
  const keys = ['OPENAI_API_KEY', 'CHAT_API_KEY', ...names.apiKey].map((name) => [name, inputs.apiKey]);
  const models = ['CHAT_MODEL', ...names.model].map((name) => [name, inputs.model]);
  return {
    ...Object.fromEntries([...urls, ...keys, ...models]),
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

export function taskOf(name: string, { items, atOnce }: CallerScenario): CallerTask {
  return { version: 1, scenario: name, atOnce, wishes: items };
}

/** How the text of an item begins, and no other. */
export function beginningOf({ text }: TaskItem): string {
  return text.slice(0, text.indexOf(':') + 1);
}

const OUTCOMES = ['served', 'refused', 'uncertain'] as const;

/** What a driver wrote to `CHAT_RECORD`. */
export interface RecordReading {
  /** Undefined: nothing at all. */
  readonly records: readonly DriverRecord[] | undefined;
  /** Names the first line that is not a record; undefined: every line is one. */
  readonly problem?: string;
}

function recordOf(value: unknown): DriverRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { wish, idempotencyKey } = value;
  const outcome = OUTCOMES.find((word) => word === value['outcome']);
  if (typeof wish !== 'string' || outcome === undefined) return undefined;
  return { wish, outcome, ...(typeof idempotencyKey === 'string' && { idempotencyKey }) };
}

function parsed(line: string): DriverRecord | undefined {
  try {
    return recordOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Reads a `CHAT_RECORD` file: each line is an object with `wish`, `outcome` and, if there was one, `idempotencyKey`. */
export function readRecords(file: string): RecordReading {
  const lines = textOf(file)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length === 0) return { records: undefined };
  const records = lines.map(parsed);
  const wrong = records.indexOf(undefined);
  const good = records.filter((record) => record !== undefined);
  if (wrong === -1) return { records: good };
  return { records: good, problem: `line ${wrong + 1} of CHAT_RECORD is not a record` };
}
