import type { IncomingMessage } from 'node:http';

import { FAULT_HEADER } from '../faults/fault-names.ts';
import { HEADERS } from '../../fixtures/chats/wire.ts';
import { headerOf } from './header-of.ts';

/** What the service looks at in a request. A body that was too large to read is null. */
export interface Received {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  readonly authorization: string | undefined;
  /** A key where other services look for one: only a service with a defect looks there. */
  readonly apiKey?: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** A fault that the request asks for itself. */
  readonly fault: string | undefined;
  readonly body: Buffer | null;
}

/** The head of a request as Node gives it, and its body. */
export function received(message: IncomingMessage, body: Buffer | null): Received {
  return {
    method: message.method ?? '',
    url: message.url ?? '',
    authorization: headerOf(message, HEADERS.authorization),
    apiKey: headerOf(message, 'x-api-key'),
    idempotencyKey: headerOf(message, HEADERS.idempotencyKey),
    contentType: headerOf(message, HEADERS.contentType),
    contentEncoding: headerOf(message, 'content-encoding'),
    fault: headerOf(message, FAULT_HEADER),
    body,
  };
}
