import type { ServerResponse } from 'node:http';

import type { Answer } from './answer.ts';
import { answerRequest } from './answer-request.ts';
import type { Activity, Connections } from './connections.ts';
import { errorAnswer } from '../endpoints/error-answer.ts';
import type { Exchange } from './exchange.ts';
import { loseAnswer } from '../faults/lose-answer.ts';
import { passPhase } from '../faults/pass-phase.ts';
import { Passage } from '../faults/passage.ts';
import { identify, type Identity } from '../world/identity.ts';
import { readBody } from './read-body.ts';
import { received, type Received } from './received.ts';
import { recordEnd } from '../chat/record-end.ts';
import { sendAnswer } from './send-answer.ts';
import type { Service } from '../service.ts';
import { ServiceError } from '../endpoints/service-error.ts';
import type { Wire } from './wire.ts';

/** Reads a request and has it answered; `refusal`, when given, is the answer whatever the request says. */
export function handleRequest(
  service: Service,
  connections: Connections,
  response: ServerResponse,
  refusal?: ServiceError,
): void {
  const message = response.req;
  const activity = connections.began(message, service);
  response.on('finish', () => connections.ended(activity));
  readBody(message, service.world.limits.bodyBytes, (body) => {
    const request = received(message, body);
    const identity = identify(service.seed, service.occurrences, request);
    const wire = createWire(service, { connections, activity, response, request }, identity);
    const exchange = createExchange(service, wire, identity);
    try {
      if (refusal !== undefined) throw refusal;
      answerOrDefect(service, exchange);
    } catch (error) {
      exchange.refuse(error);
    }
  });
}

function answerOrDefect(service: Service, exchange: Exchange): void {
  const onRequest = service.defect?.onRequest;
  if (onRequest === undefined) answerRequest(service, exchange);
  else onRequest(exchange, (rewritten) => answerRequest(service, rewritten), service);
}

/** A request that no fault can strike, and of which no journal tells, costs no more than one look. */
function createWire(
  service: Service,
  carrier: Pick<Wire, 'connections' | 'response' | 'request'> & { readonly activity: Activity },
  { requestId }: Identity,
): Wire {
  const { request, activity, response } = carrier;
  const record = service.journal?.begin({ ...request, requestId, rawHeaders: response.req.rawHeaders });
  const isWatched = record !== undefined || !service.faults.isEmpty || canAsk(service, request);
  const passage = isWatched ? new Passage(service.faults, record, requestId) : null;
  const ended = record === undefined ? ignore : recordEnd(record, activity, response);
  return { ...carrier, requestId, passage, record, ended };
}

function canAsk({ world }: Service, { fault }: Received): boolean {
  const { header, models } = world.choices.faults;
  return models === 'allow' || (header === 'allow' && fault !== undefined);
}

function ignore(): void {}

function createExchange(service: Service, wire: Wire, identity: Identity): Exchange {
  const { connections, activity, request, passage } = wire;
  let isLost = false;
  const exchange: Exchange = {
    request,
    identity,
    passage,
    hold: (release) => connections.hold(activity, release),
    reply: (answer) => {
      if (!isLost) passPhase(service, 'before-headers', { exchange, wire, answer }, send);
    },
    refuse: (error) => {
      const answer = errorAnswer(service.world, identity.requestId, asServiceError(service, wire, error));
      if (isLost) return;
      if (wire.response.headersSent) cut(wire);
      else sendAnswer(service, wire, answer);
    },
    lose: (loss) => {
      isLost = true;
      loseAnswer(service, wire, loss);
    },
  };
  return exchange;
}

interface Leaving {
  readonly exchange: Exchange;
  readonly wire: Wire;
  readonly answer: Answer;
}

function send(service: Service, { wire, answer }: Leaving): void {
  sendAnswer(service, wire, answer, wire.passage?.deliver());
}

/** A part of an answer has left already. */
function cut({ response, ended }: Wire): void {
  ended('cut');
  response.destroy();
}

/** Anything else that was thrown is a defect of ours. */
function asServiceError(service: Service, { requestId }: Wire, thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const trace = thrown instanceof Error ? thrown.stack : 'something that is no Error';
  service.log(`${requestId} failed: ${trace}`);
  return new ServiceError('internal_error');
}
