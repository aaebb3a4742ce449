import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request to the service, which has arrived whole, and the response to it. */
export interface Call {
  readonly requestId: string | number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly body: Buffer;
}
