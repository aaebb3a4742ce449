import type { IncomingMessage, ServerResponse } from 'node:http';

import { HEADERS } from '../fixtures/wire.ts';
import type { Answer } from './answer.ts';
import type { Service } from './service.ts';

/** Milliseconds, and bytes, that a caller may go on sending of a body that was refused unread. */
const LINGER_MS = 1000;
const LINGER_BYTES = 16 * 1024 * 1024;

type HeaderSource = Pick<Service, 'dateHeader' | 'world'>;

/** The headers of every answer, names and values in turn: Node then writes them as they are. */
export function answerHeaders({ dateHeader, world }: HeaderSource, answer: Answer): string[] {
  const { deprecation, sunset } = world.choices.versioning;
  const headers = ['date', dateHeader(), HEADERS.requestId, answer.requestId, HEADERS.contentType];
  headers.push(answer.contentType, 'content-length', String(answer.body.length), ...answer.headers);
  if (deprecation !== null) headers.push('deprecation', deprecation);
  if (sunset !== null) headers.push('sunset', sunset);
  return headers;
}

/**
 * Hands an answer to the socket in one piece; with `lingering`, closes the connection once the caller has stopped
 * sending: closed at once, unread bytes would reset it, and take the answer along.
 */
export function sendBody(response: ServerResponse, body: string, lingering: boolean): void {
  if (!lingering) {
    response.end(body, 'latin1');
    return;
  }
  response.write(body, 'latin1');
  linger(response.req, () => response.end());
}

function linger(message: IncomingMessage, end: () => void): void {
  let unread = LINGER_BYTES;
  const timer = setTimeout(end, LINGER_MS).unref();
  message.once('close', () => clearTimeout(timer));
  message.once('end', end);
  message.on('data', (chunk: Buffer) => {
    unread -= chunk.length;
    if (unread < 0) end();
  });
}
