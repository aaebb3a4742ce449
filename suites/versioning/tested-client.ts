import { randomUUID } from 'node:crypto';
import type { OpenAI } from 'tested-client';
import { type JsonValue, HEADERS } from '../../fixtures/chats/chat.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { asError } from '../engine/model/ruling.ts';
import type { Sender, Trial } from '../engine/model/stimulus.ts';
import { jsonText } from '../engine/reading/json.ts';
import { CLIENT_BASE_URL, fetchThrough, type Passage } from './fetch-through.ts';

/** What the tested client returned or threw. */
export type ClientResult =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | {
      readonly kind: 'threw';
      readonly name: string;
      readonly message: string;
      /** Undefined unless the client raised its API error. */
      readonly apiError: ObservedApiError | undefined;
    };

export interface ObservedApiError {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
}

export interface ClientTrial extends Trial {
  /** Named as in the journals of earlier releases. */
  readonly sight: ClientResult;
}

/** Runs a call of the client, and records what it sent and what it returned. */
export async function clientTrial(
  sender: Sender,
  use: (client: OpenAI) => Promise<unknown>,
  counterpart?: Exchange,
): Promise<ClientTrial> {
  const passage: Passage = { exchanges: [], failures: [] };
  const client = await openTestedClient(sender, passage);
  const sight = await clientResultOf(() => use(client));
  // The client makes an error of its own of whatever our `fetch` throws.
  for (const failure of passage.failures) throw asError(failure);
  return { exchanges: passage.exchanges, sight, ...(counterpart !== undefined && { counterpart }) };
}

async function clientResultOf(use: () => Promise<unknown>): Promise<ClientResult> {
  let value: unknown;
  try {
    value = await use();
  } catch (error) {
    if (!(error instanceof Error))
      return { kind: 'threw', name: typeof error, message: String(error), apiError: undefined };
    const { APIError } = await import('tested-client');
    const apiError = error instanceof APIError ? apiErrorOf(error) : undefined;
    return { kind: 'threw', name: error.constructor.name, message: error.message, apiError };
  }
  // What fails from here on is ours.
  return { kind: 'value', value: plain(value) };
}

/** The value as plain JSON, without the classes of the client; judgements look for nothing in its depths. */
function plain(value: unknown): JsonValue {
  const written: JsonValue = JSON.parse(jsonText(value ?? null));
  return written;
}

function apiErrorOf(error: { status?: unknown; code?: unknown; requestID?: unknown }): ObservedApiError {
  return {
    status: typeof error.status === 'number' ? error.status : undefined,
    code: textOf(error.code),
    requestId: textOf(error.requestID),
  };
}

/** An item of the answer, which may have another type than the client declares. */
function textOf(item: unknown): string | undefined {
  if (item === undefined || item === null) return undefined;
  return typeof item === 'string' ? item : jsonText(item);
}

/**
 * The tested client, configured as the specification says: 120000 ms, no retry. It sends through the sender, which
 * holds the key and adds each exchange to the passage. It reads nothing from the environment.
 */
async function openTestedClient(sender: Sender, passage: Passage): Promise<OpenAI> {
  const { OpenAI: Client } = await import('tested-client');
  return new Client({
    baseURL: CLIENT_BASE_URL,
    apiKey: 'held-by-the-sender',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    timeout: 120_000,
    maxRetries: 0,
    logLevel: 'off',
    fetch: fetchThrough(sender, passage),
  });
}

/** The options of a request with a fresh Idempotency-Key (IDEM-1), which this client does not set itself. */
export function freshKey(): { readonly headers: Record<string, string> } {
  return { headers: { [HEADERS.idempotencyKey]: randomUUID() } };
}
