import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Activity, Connections } from '../http/connections.ts';
import { readBody } from '../http/read-request.ts';
import { traceOf } from '../protocol/service-error.ts';
import type { ControlAnswer, Controlled } from './dispatch.ts';
import { ControlError, guard, guardPage } from './guard.ts';

const MOST_BYTES = 4 * 1024 * 1024;

export interface ControlService extends Controlled {
  readonly connections: Connections;
  /** Undefined: not required, because the mock listens on a loopback address only. */
  readonly token: string | undefined;
  /** Receives one line for each unexpected failure. */
  readonly log: (line: string) => void;
}

/** Answers the requests below `/control`. Returns false for any other request. */
export function createControl(
  controlled: ControlService,
): (message: IncomingMessage, response: ServerResponse) => boolean {
  return (message, response) => {
    if (!/^\/control(?=[/?]|$)/.test(message.url ?? '')) return false;
    serve(controlled, message, response).catch((error: unknown) => {
      controlled.log(`control failed: ${traceOf(error)}`);
      response.destroy();
    });
    return true;
  };
}

async function serve(controlled: ControlService, message: IncomingMessage, response: ServerResponse) {
  const { connections, token } = controlled;
  const activity: Activity = { response };
  connections.began(activity);
  const body = await readBody(message, MOST_BYTES);
  try {
    if (/^\/control\/ui(?=[/?]|$)/.test(message.url ?? '')) {
      guardPage(message, token);
      const { servePage } = await import('../inspector/serve-page.ts');
      return await servePage(response, connections.closing);
    }
    guard(message, token);
    if (body === null) throw new ControlError(413, 'body_too_large', `The limit is ${MOST_BYTES} bytes`);
    // Loaded with the first request: the schema library of the operations would double the time to start.
    const { dispatch } = await import('./dispatch.ts');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answered = await dispatch(controlled, message, { body, signal: gone.signal });
    const { status, body: answer } = answered;
    if (!isStream(answer)) return send(controlled, response, answered, false);
    // The mock does not wait for it when it closes.
    connections.silence(activity);
    response.writeHead(status, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    // It ends when the caller disconnects.
    await pipeline(answer, response).catch(() => {});
  } catch (error) {
    send(controlled, response, failure(controlled, error), body === null);
  }
}

function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function failure({ log }: ControlService, error: unknown): ControlAnswer {
  if (error instanceof ControlError) {
    const { status, code, message, at } = error;
    return { status, body: { error: { code, message, at } } };
  }
  log(`control failed: ${traceOf(error)}`);
  return { status: 500, body: { error: { code: 'internal_error', message: 'The mock itself failed' } } };
}

/** With an unread body the connection ends: the rest would be read as the next request. */
function send(
  { connections }: ControlService,
  response: ServerResponse,
  { status, body }: ControlAnswer,
  isUnread: boolean,
): void {
  const text = body === undefined ? '' : `${JSON.stringify(body)}\n`;
  const headers = ['content-length', String(Buffer.byteLength(text)), 'cache-control', 'no-store'];
  if (body !== undefined) headers.push('content-type', 'application/json');
  if (isUnread || connections.closing) headers.push('connection', 'close');
  response.writeHead(status, headers).end(text);
}
