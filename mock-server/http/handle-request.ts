import type { ServerResponse } from 'node:http';
import { answerRequest } from '../endpoints/answer-request.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { identify, type Identity } from '../exchange/identity.ts';
import { RequestFaults } from '../exchange/request-faults.ts';
import { runPhase } from '../exchange/run-phase.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { ServiceError, traceOf } from '../protocol/service-error.ts';
import type { Service } from '../sandboxes/service.ts';
import type { Connections } from './connections.ts';
import { type HttpContext, orDrop, recordEnd, UNRECORDED } from './http-context.ts';
import { loseAnswer } from './lose-answer.ts';
import { readBody, receiveRequest } from './read-request.ts';
import { errorAnswer, sendAnswer } from './send-answer.ts';

/** Reads a request and answers it; with `refusal`, always with that. */
export function handleRequest(
  service: Service,
  connections: Connections,
  response: ServerResponse,
  refusal?: ServiceError,
): void {
  const message = response.req;
  const activity = connections.began(message, service);
  response.on('finish', () => connections.ended(activity));
  const begin = (body: Buffer | null): void => {
    const request = receiveRequest(message, body);
    const identity = identify(service.seed, service.occurrences, request);
    const context = createContext(service, { connections, activity, response, request }, identity);
    const exchange = createExchange(service, context, identity);
    if (refusal === undefined && canAskForFault(service, request))
      compileFaults(service, exchange).catch(exchange.refuse);
    else answer(service, exchange, refusal);
  };
  readBody(message, service.world.limits.bodyBytes, (body) =>
    orDrop({ log: service.log, response }, () => begin(body)),
  );
}

function createContext(
  service: Service,
  connected: Pick<HttpContext, 'connections' | 'activity' | 'response' | 'request'>,
  { requestId }: Identity,
): HttpContext {
  const { request, activity, response } = connected;
  const record = service.journal?.begin({ ...request, requestId, rawHeaders: response.req.rawHeaders });
  const { headers, socket: connection } = response.req;
  const received = { headers, connection, idempotencyKey: request.idempotencyKey };
  const faults = new RequestFaults(service, record, requestId, received);
  const writing = record === undefined ? UNRECORDED : recordEnd(record, activity, response);
  const { ended, wrote } = writing;
  return { ...connected, log: service.log, requestId, faults, record, ended, wrote };
}

function canAskForFault({ world }: Service, { fault }: ReceivedRequest): boolean {
  const { header, models } = world.choices.faults;
  return models === 'allow' || (header === 'allow' && fault !== undefined);
}

function createExchange(service: Service, context: HttpContext, identity: Identity): Exchange {
  const { connections, activity, request, faults } = context;
  let isLost = false;
  const exchange: Exchange = {
    request,
    identity,
    faults,
    hold: (release) => connections.hold(activity, release),
    reply: (replied) => {
      if (!isLost) runPhase(service, 'before-headers', { exchange, context, replied }, send);
    },
    // The end of every path: no caller handles a failure here.
    refuse: (error) =>
      whenQuiet(service, request, () =>
        orDrop(context, () => {
          const refused = errorAnswer(
            service.world,
            identity.requestId,
            asServiceError(service, context, error),
          );
          if (isLost) return;
          if (context.response.headersSent) cut(context);
          else sendAnswer(service, context, refused);
        }),
      ),
    lose: (loss) => {
      isLost = true;
      orDrop(context, () => loseAnswer(service, context, loss));
    },
  };
  return exchange;
}

/** Refusals of chats wait with the completions, if these wait for each other, and go before them. */
function whenQuiet({ batcher }: Service, { method }: ReceivedRequest, refuse: () => void): void {
  if (batcher === undefined || method !== 'POST') refuse();
  else batcher.before(refuse);
}

async function compileFaults(service: Service, exchange: Exchange): Promise<void> {
  exchange.faults.compileWith(await import('../faults/requested-fault.ts'));
  answer(service, exchange);
}

function answer(service: Service, exchange: Exchange, refusal?: ServiceError): void {
  const onRequest = service.defect?.onRequest;
  try {
    if (refusal !== undefined) throw refusal;
    if (onRequest === undefined) answerRequest(service, exchange);
    else onRequest(exchange, (rewritten) => answerRequest(service, rewritten), service);
  } catch (error) {
    exchange.refuse(error);
  }
}

interface ReadyAnswer {
  readonly exchange: Exchange;
  readonly context: HttpContext;
  readonly replied: Answer;
}

function send(service: Service, { context, replied }: ReadyAnswer): void {
  sendAnswer(service, context, replied, context.faults.delivery());
}

/** A part of an answer has left already. */
function cut({ response, ended }: HttpContext): void {
  ended('cut');
  response.destroy();
}

/** Any other error is a failure of the mock itself. */
function asServiceError(service: Service, { requestId }: HttpContext, thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  service.log(`${requestId} failed: ${traceOf(thrown)}`);
  return new ServiceError('internal_error');
}
