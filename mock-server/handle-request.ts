import type { ServerResponse } from 'node:http';

import type { Answer } from './answer.ts';
import { answerRequest } from './answer-request.ts';
import type { Activity, Connections } from './connections.ts';
import { errorAnswer } from './error-answer.ts';
import type { Exchange } from './exchange.ts';
import { identify } from './identity.ts';
import { readBody } from './read-body.ts';
import { received, type Received } from './received.ts';
import { answerHeaders, sendBody } from './send-answer.ts';
import type { Service } from './service.ts';
import { ServiceError } from './service-error.ts';

/** A request on its connection. */
interface Wire {
  readonly connections: Connections;
  readonly activity: Activity;
  readonly response: ServerResponse;
  readonly request: Received;
}

/** Reads a request and has it answered; `refusal`, when given, is the answer whatever the request says. */
export function handleRequest(
  service: Service,
  connections: Connections,
  response: ServerResponse,
  refusal?: ServiceError,
): void {
  const message = response.req;
  const activity = connections.began(message);
  response.on('finish', () => connections.ended(activity));
  readBody(message, service.world.limits.bodyBytes, (body) => {
    const wire = { connections, activity, response, request: received(message, body) };
    const exchange = createExchange(service, wire);
    try {
      if (refusal !== undefined) throw refusal;
      answerRequest(service, exchange);
    } catch (error) {
      exchange.refuse(error);
    }
  });
}

function createExchange(service: Service, wire: Wire): Exchange {
  const { connections, activity, request } = wire;
  const identity = identify(service.seed, service.occurrences, request);
  return {
    request,
    identity,
    hold: (release) => connections.hold(activity, release),
    reply: (answer) => {
      service.strike?.('before-headers', request);
      send(service, wire, answer, service.strike);
    },
    refuse: (error) => refuse(service, wire, identity.requestId, error),
  };
}

function refuse(service: Service, wire: Wire, requestId: string, thrown: unknown): void {
  const error = thrown instanceof ServiceError ? thrown : defect(service, requestId, thrown);
  if (wire.response.headersSent) wire.response.destroy();
  else send(service, wire, errorAnswer(service.world, requestId, error));
}

function defect(service: Service, requestId: string, thrown: unknown): ServiceError {
  const trace = thrown instanceof Error ? thrown.stack : 'something that is no Error';
  service.log(`${requestId} failed: ${trace}`);
  return new ServiceError('internal_error');
}

function send(service: Service, wire: Wire, answer: Answer, strike?: Service['strike']): void {
  const { response, request, connections } = wire;
  const headers = answerHeaders(service, answer);
  const isUnread = request.body === null;
  if (isUnread || connections.closing) headers.push('connection', 'close');
  response.writeHead(answer.status, headers);
  strike?.('inside-body', request);
  sendBody(response, answer.body, isUnread);
  // Path and headers may hold a secret: neither is logged.
  if (service.logAnswers) service.log(`${answer.requestId} ${request.method} ${answer.status}`);
}
