import type { IncomingMessage, ServerResponse } from 'node:http';

/** Milliseconds, and bytes, that a caller may go on sending of a body that was refused unread. */
const LINGER_MS = 1000;
const LINGER_BYTES = 16 * 1024 * 1024;

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
