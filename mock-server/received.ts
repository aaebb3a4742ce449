import type { IncomingMessage } from 'node:http';

import { FAULT_HEADER } from '../fixtures/faults.ts';
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
  /** A fault that the request asks for itself. */
  readonly fault: string | undefined;
  readonly body: Buffer | null;
}

/** The head of a request as Node gives it, and its body. */
export function received(message: IncomingMessage, body: Buffer | null): Received {
  const { headers } = message;
  return {
    method: message.method ?? '',
    url: message.url ?? '',
    authorization: headers[HEADERS.authorization],
    idempotencyKey: oneText(headers[HEADERS.idempotencyKey]),
    contentType: headers[HEADERS.contentType],
    contentEncoding: headers['content-encoding'],
    fault: oneText(headers[FAULT_HEADER]),
    body,
  };
}

function oneText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
