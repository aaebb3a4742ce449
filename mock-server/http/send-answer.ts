import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { Answer } from './answer.ts';
import type { RewrittenAnswer } from './defect-hooks.ts';
import { deliverBody } from '../faults/deliver-body.ts';
import type { DeliveryTrouble } from '../faults/trouble.ts';
import { sendBody } from './send-body.ts';
import type { Service } from '../service.ts';
import type { Wire } from './wire.ts';

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

/** Sends an answer on its connection, whole unless a trouble meets it on its way. */
export function sendAnswer(service: Service, wire: Wire, right: Answer, trouble?: DeliveryTrouble): void {
  const { response, request, connections } = wire;
  const answer: RewrittenAnswer = service.defect?.onResponse?.(right, request, service) ?? right;
  const { status, body } = answer;
  const headers = answerHeaders(service, answer);
  const isUnread = request.body === null;
  if (isUnread || connections.closing) headers.push('connection', 'close');
  wire.record?.replied(status, body);
  // Path and headers may hold a secret: neither is logged.
  if (service.logAnswers) service.log(`${answer.requestId} ${request.method} ${status}`);
  const met = trouble ?? answer.delivery;
  if (met !== undefined) {
    deliverBody(wire, service.delays, { status, headers, body }, met);
    return;
  }
  response.writeHead(status, headers);
  sendBody(response, body, isUnread);
}
