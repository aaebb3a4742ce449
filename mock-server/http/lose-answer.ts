import type { Loss, Page } from '../faults/fault.ts';
import type { Service } from '../sandboxes/service.ts';
import { cutConnection, type HttpContext, keepSilent, sendBody, whenItsTurn } from './http-context.ts';

/** Applies a fault that takes the place of the answer. */
export function loseAnswer(
  service: Service,
  context: HttpContext,
  { fault, instead }: Loss & { readonly fault: string },
): void {
  if (service.logAnswers) service.log(`${context.requestId} ${context.request.method} ${fault}`);
  if (typeof instead === 'object') return sendInstead(service, context, instead);
  if (instead === 'silence') return keepSilent(context);
  whenItsTurn(context, (socket) => {
    if (instead !== 'half-open') return cutConnection(context, socket, instead);
    keepSilent(context);
    // Node's own listener answers the end of the caller with its own.
    socket.removeAllListeners('end');
  });
}

/** Answers with these have no body, and say nothing of its length (RFC 9110, 8.6). */
const BODYLESS: ReadonlySet<number> = new Set([204, 304]);

function sendInstead(
  { dateHeader }: Service,
  { response, request, connections, record }: HttpContext,
  page: Page,
): void {
  const { status, body } = page;
  const headers = ['date', dateHeader(), 'server', 'gateway', ...page.headers];
  if (!BODYLESS.has(status)) headers.push('content-length', String(body.length));
  const isUnread = request.body === null;
  if (isUnread || connections.closing) headers.push('connection', 'close');
  response.writeHead(status, headers);
  record?.replied(status, headers, Buffer.from(body, 'latin1'));
  sendBody(response, body, isUnread);
}
