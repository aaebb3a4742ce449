import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Ended, JournalRecord } from '../journal/journal.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { traceOf } from '../protocol/service-error.ts';
import type { Activity, Connections } from './connections.ts';

/** A request on its connection. */
export interface HttpContext {
  /** Receives one line for each unexpected failure. */
  readonly log: (line: string) => void;
  readonly connections: Connections;
  readonly activity: Activity;
  readonly response: ServerResponse;
  readonly request: ReceivedRequest;
  readonly requestId: string;
  readonly record: JournalRecord | undefined;
  /** Called where an answer does not end whole. The first call counts. */
  readonly ended: (how: Ended) => void;
  /** Called after a part of an answer was written. */
  readonly wrote: () => void;
}

/** Journals how an answer ends, and its bytes written. The returned functions record an earlier end, and its parts. */
export function recordEnd(
  record: JournalRecord | undefined,
  activity: Activity,
  response: ServerResponse,
): Pick<HttpContext, 'ended' | 'wrote'> {
  if (record === undefined) return { ended: () => {}, wrote: () => {} };
  const { socket } = activity.message;
  let before = socket.bytesWritten;
  // The answers to earlier requests on the connection are still being written.
  if (response.socket === null) response.once('socket', () => (before = socket.bytesWritten));
  const written = (): number => socket.bytesWritten - before;
  const ended = (how: Ended): void => record.ended(how, written());
  // Ahead of Node's own listener, which begins to write the next answer.
  response.prependListener('finish', () => ended('answered'));
  activity.gone = () => ended('client-gone');
  return { ended, wrote: () => record.left(written()) };
}

type Droppable = Pick<HttpContext, 'log' | 'response'> & Partial<HttpContext>;

/** Drops the connection of a request that met an unexpected failure. */
export function drop({ log, response, ended }: Droppable, error: unknown): void {
  log(`a request was dropped: ${traceOf(error)}`);
  ended?.('cut');
  response.destroy();
}

/** Runs once the answers to all earlier requests on the connection have left; never, if they never do. */
export function whenItsTurn(context: HttpContext, run: (socket: Socket) => void): void {
  const { socket } = context.response;
  if (socket !== null) return run(socket);
  context.response.once('socket', (given) => {
    try {
      run(given);
    } catch (error) {
      drop(context, error);
    }
  });
}

/** Sends nothing more on the connection. The mock does not wait for it when it closes. */
export function keepSilent({ connections, activity, response, ended }: HttpContext): void {
  ended(response.headersSent ? 'cut' : 'silent');
  connections.silence(activity);
}

/** Ends a connection: with FIN after what was written, or with RST at once. */
export function cutConnection(
  { ended }: Pick<HttpContext, 'ended'>,
  socket: Socket,
  how: 'fin' | 'rst',
): void {
  ended('cut');
  if (how === 'rst') socket.resetAndDestroy();
  else socket.destroySoon();
}

/** How long, in milliseconds and bytes, a caller may go on sending a body that was refused unread. */
const LINGER_MS = 1000;
const LINGER_BYTES = 16 * 1024 * 1024;

/**
 * Hands an answer to the socket in one piece. With `lingering`, closes the connection once the caller has stopped
 * sending: if it were closed at once, the unread bytes would reset it, and the answer would be lost.
 */
export function sendBody(
  response: ServerResponse,
  body: string,
  lingering: boolean,
  encoding: BufferEncoding = 'latin1',
): void {
  if (!lingering) {
    response.end(body, encoding);
    return;
  }
  response.write(body, encoding);
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
