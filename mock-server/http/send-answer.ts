import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { RewrittenAnswer } from '../exchange/defect-hooks.ts';
import type { DeliveryFault } from '../faults/fault.ts';
import type { Answer } from '../protocol/answer.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Service } from '../sandboxes/service.ts';
import { deliverBody } from './deliver-body.ts';
import { errorAnswer } from './error-answer.ts';
import { type HttpContext, sendBody } from './http-context.ts';
import { rewriteAnswer } from './rewrite-answer.ts';

type HeaderSource = Pick<Service, 'dateHeader' | 'world'>;

/** The headers of every answer, names and values in turn, which Node writes unchanged. */
export function answerHeaders({ dateHeader, world }: HeaderSource, answer: RewrittenAnswer): string[] {
  const { deprecation, sunset } = world.choices.versioning;
  const headers = ['date', dateHeader(), HEADERS.requestId, answer.requestId, HEADERS.contentType];
  headers.push(answer.contentType);
  if (answer.isUnmeasured === undefined) headers.push('content-length', String(answer.body.length));
  headers.push(...answer.headers);
  if (deprecation !== null) headers.push('deprecation', deprecation);
  if (sunset !== null) headers.push('sunset', sunset);
  return headers;
}

/** Sends an answer on its connection: whole, unless a fault says otherwise. */
export function sendAnswer(
  service: Service,
  context: HttpContext,
  right: Answer,
  fault?: DeliveryFault,
): void {
  const { response, request, connections } = context;
  const answer: RewrittenAnswer = service.defect?.onResponse?.(right, request, service) ?? right;
  const { status, body } = answer;
  const headers = answerHeaders(service, answer);
  const isUnread = request.body === null;
  if (isUnread || connections.closing) headers.push('connection', 'close');
  // Path and headers may hold a secret: neither is logged.
  if (service.logAnswers) service.log(`${answer.requestId} ${request.method} ${status}`);
  const delivery = fault ?? answer.delivery;
  if (delivery !== undefined) {
    const error = new ServiceError('service_unavailable');
    const outgoing = rewriteAnswer(
      { status, headers, body },
      delivery,
      () => errorAnswer(service.world, answer.requestId, error).body,
    );
    context.record?.replied(status, outgoing.headers, outgoing.body);
    deliverBody(context, service.delays, outgoing, delivery);
    return;
  }
  context.record?.replied(status, headers, body);
  response.writeHead(status, headers);
  sendBody(response, body, isUnread);
}
