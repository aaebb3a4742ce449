import type { ServerResponse } from 'node:http';

import type { Answer } from '../protocol/answer.ts';
import { answerRequest } from '../endpoints/answer-request.ts';
import type { Activity, Connections } from './connections.ts';
import { errorAnswer } from './error-answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { loseAnswer } from './lose-answer.ts';
import { runPhase } from '../exchange/run-phase.ts';
import { RequestFaults } from '../exchange/request-faults.ts';
import { identify, type Identity } from '../exchange/identity.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { readBody, receiveRequest } from './read-request.ts';
import { recordEnd, type HttpContext } from './http-context.ts';
import { sendAnswer } from './send-answer.ts';
import type { Service } from '../sandboxes/service.ts';
import { ServiceError } from '../protocol/service-error.ts';

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
    const request = receiveRequest(message, body);
    const identity = identify(service.seed, service.occurrences, request);
    const context = createContext(service, { connections, activity, response, request }, identity);
    const exchange = createExchange(service, context, identity);
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
function createContext(
  service: Service,
  carrier: Pick<HttpContext, 'connections' | 'response' | 'request'> & { readonly activity: Activity },
  { requestId }: Identity,
): HttpContext {
  const { request, activity, response } = carrier;
  const record = service.journal?.begin({ ...request, requestId, rawHeaders: response.req.rawHeaders });
  const isWatched = record !== undefined || !service.faults.isEmpty || canAsk(service, request);
  const faults = isWatched ? new RequestFaults(service.faults, record, requestId) : null;
  const ended = record === undefined ? ignore : recordEnd(record, activity, response);
  return { ...carrier, requestId, faults, record, ended };
}

function canAsk({ world }: Service, { fault }: ReceivedRequest): boolean {
  const { header, models } = world.choices.faults;
  return models === 'allow' || (header === 'allow' && fault !== undefined);
}

function ignore(): void {}

function createExchange(service: Service, context: HttpContext, identity: Identity): Exchange {
  const { connections, activity, request, faults } = context;
  let isLost = false;
  const exchange: Exchange = {
    request,
    identity,
    faults,
    hold: (release) => connections.hold(activity, release),
    reply: (answer) => {
      if (!isLost) runPhase(service, 'before-headers', { exchange, context, answer }, send);
    },
    refuse: (error) => {
      const answer = errorAnswer(service.world, identity.requestId, asServiceError(service, context, error));
      if (isLost) return;
      if (context.response.headersSent) cut(context);
      else sendAnswer(service, context, answer);
    },
    lose: (loss) => {
      isLost = true;
      loseAnswer(service, context, loss);
    },
  };
  return exchange;
}

interface Leaving {
  readonly exchange: Exchange;
  readonly context: HttpContext;
  readonly answer: Answer;
}

function send(service: Service, { context, answer }: Leaving): void {
  sendAnswer(service, context, answer, context.faults?.deliveryFault());
}

/** A part of an answer has left already. */
function cut({ response, ended }: HttpContext): void {
  ended('cut');
  response.destroy();
}

/** Anything else that was thrown is a defect of ours. */
function asServiceError(service: Service, { requestId }: HttpContext, thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const trace = thrown instanceof Error ? thrown.stack : 'something that is no Error';
  service.log(`${requestId} failed: ${trace}`);
  return new ServiceError('internal_error');
}
