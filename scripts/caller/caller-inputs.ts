import type { CallerTask } from './caller-task.ts';

/** What a caller is given. */
export interface CallerInputs {
  /** Ends in /v1. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Another provider, for callers that know of one. */
  readonly otherBaseUrl: string;
  readonly otherApiKey: string;
  /** Where the workspace can be looked into. */
  readonly controlUrl: string;
  /** Milliseconds that the client is to wait for an answer. */
  readonly timeoutMs: number;
  readonly task: CallerTask;
  /** The file that a driver writes a line to for each request; it is not there yet. */
  readonly record: string;
}

/** The variables in which a caller finds all that, and those of the same meaning that it may have been told to read. */
export function callerVariables(
  place: CallerInputs,
  names: { readonly baseUrl: readonly string[]; readonly apiKey: readonly string[] },
): Readonly<Record<string, string>> {
  const urls = ['OPENAI_BASE_URL', 'CHAT_BASE_URL', ...names.baseUrl].map((name) => [name, place.baseUrl]);
  const keys = ['OPENAI_API_KEY', 'CHAT_API_KEY', ...names.apiKey].map((name) => [name, place.apiKey]);
  return {
    ...Object.fromEntries([...urls, ...keys]),
    CHAT_OTHER_BASE_URL: place.otherBaseUrl,
    CHAT_OTHER_API_KEY: place.otherApiKey,
    CHAT_CONTROL_URL: place.controlUrl,
    CHAT_TIMEOUT_MS: String(place.timeoutMs),
    CHAT_TASK: JSON.stringify(place.task),
    CHAT_RECORD: place.record,
  };
}
