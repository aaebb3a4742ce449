import type { ENDPOINTS } from '../../fixtures/chats/chat.ts';

/** An answer to send, complete before its first byte is sent (STR-2). */
export interface Answer {
  readonly status: number;
  readonly requestId: string;
  readonly contentType: string;
  readonly body: string;
  /** Further headers: names and values in turn. */
  readonly headers: readonly string[];
}

export function jsonAnswer(requestId: string, body: object): Answer {
  return { status: 200, requestId, contentType: 'application/json', body: JSON.stringify(body), headers: [] };
}

export type Endpoint = keyof typeof ENDPOINTS;

/** The header with which a request can ask for a fault. */
export const FAULT_HEADER = 'x-mock-fault';

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, as received. */
  readonly url: string;
  readonly authorization: string | undefined;
  /** Where other services look for the key. Only a service with a defect reads it. */
  readonly apiKey?: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly fault: string | undefined;
  /** Null: it was too large to read. */
  readonly body: Buffer | null;
}
