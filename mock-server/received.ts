import type { IncomingMessage } from 'node:http';

import { HEADERS } from '../fixtures/wire.ts';

/** What the service looks at in a request. A body that was too large to read is null. */
export interface Received {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly body: Buffer | null;
}

/** The head of a request as Node gives it, and its body. */
export function received(message: IncomingMessage, body: Buffer | null): Received {
  const { headers } = message;
  const key = headers[HEADERS.idempotencyKey];
  return {
    method: message.method ?? '',
    url: message.url ?? '',
    authorization: headers[HEADERS.authorization],
    idempotencyKey: Array.isArray(key) ? key.join(', ') : key,
    contentType: headers[HEADERS.contentType],
    contentEncoding: headers['content-encoding'],
    body,
  };
}
