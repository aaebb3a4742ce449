import type { GatewayBody, GatewayStatus, Loss } from '../faults/fault.ts';
import type { Service } from '../sandboxes/service.ts';
import { cutConnection, type HttpContext, keepSilent, sendBody, whenItsTurn } from './http-context.ts';

/** Applies a fault that takes the place of the answer. */
export function loseAnswer(service: Service, context: HttpContext, loss: Loss): void {
  if (service.logAnswers) service.log(`${context.requestId} ${context.request.method} ${loss.fault}`);
  switch (loss.fault) {
    case 'gateway_failure':
      return sendGatewayPage(service, context, loss);
    case 'timeout':
      return keepSilent(context);
    case 'connection_closed':
      return whenItsTurn(context, (socket) => cutConnection(context, socket, 'fin'));
    case 'connection_reset':
      return whenItsTurn(context, (socket) => cutConnection(context, socket, 'rst'));
  }
}

function sendGatewayPage(
  service: Service,
  { response, request, connections, record }: HttpContext,
  loss: Loss & { fault: 'gateway_failure' },
): void {
  const { contentType, body } = gatewayPage(loss.status, loss.body);
  const headers = ['date', service.dateHeader(), 'server', 'gateway'];
  if (contentType !== null) headers.push('content-type', contentType);
  headers.push('content-length', String(body.length));
  const isUnread = request.body === null;
  if (isUnread || connections.closing) headers.push('connection', 'close');
  response.writeHead(loss.status, headers);
  record?.replied(loss.status, headers, body);
  sendBody(response, body, isUnread);
}

/** What a gateway itself sends (ERR-7). It has no error objects and no request IDs. */
interface GatewayPage {
  readonly contentType: string | null;
  /** ASCII. */
  readonly body: string;
}

const GATEWAY_TEXTS: Readonly<Record<GatewayStatus, readonly [title: string, reason: string]>> = {
  502: ['Bad Gateway', 'The server behind this gateway gave no valid answer.'],
  503: ['Service Unavailable', 'No server behind this gateway can take the request now.'],
  504: ['Gateway Timeout', 'The server behind this gateway did not answer in time.'],
};

function gatewayPage(status: GatewayStatus, form: GatewayBody): GatewayPage {
  const [title, reason] = GATEWAY_TEXTS[status];
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
