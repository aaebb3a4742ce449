import { STATUS_CODES } from 'node:http';
import type { Loss } from '../faults/fault.ts';
import { retryAfterHeader } from '../faults/rule.ts';
import { toUtf8 } from '../protocol/answer.ts';
import type { Service } from '../sandboxes/service.ts';
import { cutConnection, type HttpContext, keepSilent, sendBody, whenItsTurn } from './http-context.ts';

/** Applies a fault that takes the place of the answer. */
export function loseAnswer(service: Service, context: HttpContext, loss: Loss): void {
  if (service.logAnswers) service.log(`${context.requestId} ${context.request.method} ${loss.fault}`);
  switch (loss.fault) {
    case 'gateway_failure':
      return sendInstead(service, context, loss, gatewayPage(loss.status, loss.body));
    case 'own_answer':
      return sendInstead(service, context, loss, {
        contentType: String(loss.content_type),
        body: toUtf8(loss.body),
      });
    case 'half_open':
      return whenItsTurn(context, (socket) => {
        keepSilent(context);
        // Node's own listener answers the end of the caller with its own.
        socket.removeAllListeners('end');
      });
    case 'timeout':
      return keepSilent(context);
    case 'connection_closed':
      return whenItsTurn(context, (socket) => cutConnection(context, socket, 'fin'));
    case 'connection_reset':
      return whenItsTurn(context, (socket) => cutConnection(context, socket, 'rst'));
  }
}

function sendInstead(
  { dateHeader, clock, world }: Service,
  { response, request, connections, record }: HttpContext,
  loss: Extract<Loss, { readonly status: number }>,
  { contentType, body }: InsteadPage,
): void {
  const headers = ['date', dateHeader(), 'server', 'gateway'];
  if (contentType !== null) headers.push('content-type', contentType);
  if (!BODYLESS.has(loss.status)) headers.push('content-length', String(body.length));
  headers.push(...retryAfterHeader(loss.retry_after, clock(), world.limits.retryAfterSeconds));
  const isUnread = request.body === null;
  if (isUnread || connections.closing) headers.push('connection', 'close');
  response.writeHead(loss.status, headers);
  record?.replied(loss.status, headers, body);
  sendBody(response, body, isUnread);
}

/** What someone else than the service sends (ERR-7). It has no request ID. */
interface InsteadPage {
  readonly contentType: string | null;
  /** One character for each byte. */
  readonly body: string;
}

/** Answers with these have no body, and say nothing of its length (RFC 9110, 8.6). */
const BODYLESS: ReadonlySet<number> = new Set([204, 304]);

const REASONS: Readonly<Record<number, string>> = {
  502: 'The server behind this gateway gave no valid answer.',
  503: 'No server behind this gateway can take the request now.',
  504: 'The server behind this gateway did not answer in time.',
};

function gatewayPage(
  status: number,
  form: Extract<Loss, { readonly fault: 'gateway_failure' }>['body'],
): InsteadPage {
  const title = STATUS_CODES[status] ?? 'Unknown';
  const reason = REASONS[status] ?? 'This gateway does not pass the request on.';
  switch (form) {
    case 'html':
      return { contentType: 'text/html', body: htmlPage(`${status} ${title}`, reason) };
    case 'text':
      return { contentType: 'text/plain', body: `${status} ${title}: ${reason}\n` };
    case 'empty':
      return { contentType: null, body: '' };
  }
}

function htmlPage(title: string, reason: string): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    `<head><title>${title}</title></head>`,
    `<body><h1>${title}</h1><p>${reason}</p></body>`,
    '</html>',
    '',
  ].join('\n');
}
