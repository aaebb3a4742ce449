import { appendFileSync } from 'node:fs';
import type { CallerTask } from '../caller-task.ts';

/** What a driver is asked for, and how it says what came of it. */
export interface DriverTask {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly task: CallerTask;
  /** Writes down what came of one request. */
  readonly record: (line: {
    readonly wish: string;
    readonly idempotencyKey: string;
    readonly outcome: 'served' | 'refused' | 'uncertain';
  }) => void;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing: start this with chat-conformance caller`);
  return value;
}

/** Reads the task from the environment. */
export function readTask(): DriverTask {
  const task: CallerTask = JSON.parse(variable('CHAT_TASK'));
  const file = variable('CHAT_RECORD');
  return {
    baseUrl: variable('CHAT_BASE_URL'),
    apiKey: variable('CHAT_API_KEY'),
    timeoutMs: Number(variable('CHAT_TIMEOUT_MS')),
    task,
    record: (line) => appendFileSync(file, `${JSON.stringify(line)}\n`),
  };
}
