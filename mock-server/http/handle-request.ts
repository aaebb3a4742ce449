import type { ServerResponse } from 'node:http';
import { answerRequest } from '../endpoints/answer-request.ts';
import { type Exchange, Lost, passPhase } from '../exchange/exchange.ts';
import { identify, type Identity } from '../exchange/identity.ts';
import { RequestFaults } from '../exchange/request-faults.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { ServiceError, traceOf } from '../protocol/service-error.ts';
import type { Service } from '../sandboxes/service.ts';
import type { Connections } from './connections.ts';
import { drop, type HttpContext, recordEnd } from './http-context.ts';
import { loseAnswer } from './lose-answer.ts';
import { readBody, receiveRequest } from './read-request.ts';
import { errorAnswer, sendAnswer } from './send-answer.ts';

/** Reads a request and answers it; with `refusal`, always with that. */
export async function handleRequest(
  service: Service,
  connections: Connections,
  response: ServerResponse,
  refusal?: ServiceError,
): Promise<void> {
  const message = response.req;
  const activity = connections.began(message, service);
  response.on('finish', () => connections.ended(activity));
  let context: HttpContext | undefined;
  try {
    const request = receiveRequest(message, await readBody(message, service.world.limits.bodyBytes));
    const identity = identify(service.seed, service.occurrences, request);
    context = createContext(service, { connections, activity, response, request }, identity);
    await respond(service, context, createExchange(service, context, identity), refusal);
  } catch (error) {
    drop({ log: service.log, response, ...context }, error);
  }
}

function createContext(
  service: Service,
  connected: Pick<HttpContext, 'connections' | 'activity' | 'response' | 'request'>,
  { requestId }: Identity,
): HttpContext {
  const { request, activity, response } = connected;
  const record = service.journal?.begin({ ...request, requestId, rawHeaders: response.req.rawHeaders });
  const { log } = service;
  return { ...connected, log, requestId, record, ...recordEnd(record, activity, response) };
}

function createExchange(service: Service, context: HttpContext, identity: Identity): Exchange {
  const { connections, activity, request, requestId, record, response } = context;
  const { headers, socket } = response.req;
  const { idempotencyKey } = request;
  const faults = new RequestFaults(service, record, {
    requestId,
    headers,
    connection: socket,
    idempotencyKey,
  });
  return {
    request,
    identity,
    faults,
    phase: (name) => passPhase(service, faults, name),
    hold: (release) => connections.hold(activity, release),
  };
}

/** Sends an answer, or an error object, or has what takes the place of the answer happen. */
async function respond(
  service: Service,
  context: HttpContext,
  exchange: Exchange,
  refusal?: ServiceError,
): Promise<void> {
  try {
    if (refusal !== undefined) throw refusal;
    const answer = await answerOf(service, exchange);
    await exchange.phase('before-headers');
    sendAnswer(service, context, answer, exchange.faults.delivery());
  } catch (end) {
    if (end instanceof Lost) return loseAnswer(service, context, end.loss);
    const error = asServiceError(service, context, end);
    // A part of an answer may have left already.
    if (context.response.headersSent) return cut(context);
    sendAnswer(service, context, errorAnswer(service.world, context.requestId, error));
  }
}

async function answerOf(service: Service, exchange: Exchange): Promise<Answer> {
  const { faults, request } = exchange;
  if (request.method === 'POST') await service.delays.wait(service.latency.perRequest);
  if (canAskForFault(service, request)) faults.compileWith(await import('../faults/requested-fault.ts'));
  const next = (passed: Exchange): Promise<Answer> => answerRequest(service, passed);
  return service.defect?.onRequest?.(exchange, next, service) ?? next(exchange);
}

function canAskForFault({ world }: Service, { fault }: ReceivedRequest): boolean {
  const { header, models } = world.choices.faults;
  return models === 'allow' || (header === 'allow' && fault !== undefined);
}

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
