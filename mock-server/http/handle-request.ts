import type { ServerResponse } from 'node:http';
import { answerRequest } from '../endpoints/answer-request.ts';
import { type Exchange, Lost, passPhase } from '../exchange/exchange.ts';
import { identify } from '../exchange/identity.ts';
import { RequestFaults } from '../exchange/request-faults.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { ServiceError, traceOf } from '../protocol/service-error.ts';
import type { Service } from '../sandboxes/service.ts';
import type { Connections } from './connections.ts';
import { HttpLine } from './http-line.ts';
import { readBody, receiveRequest } from './read-request.ts';
import { errorAnswer, loseAnswer, sendAnswer } from './send-answer.ts';

/** An answer that does not depend on the request. */
export interface Refusal {
  readonly error: ServiceError;
  /** What came, if Node could not read it as a request. */
  readonly bytes?: Buffer | undefined;
}

/** Reads a request and answers it; with a refusal, always with that. Never rejects. */
export async function handleRequest(
  service: Service,
  connections: Connections,
  response: ServerResponse,
  refusal?: Refusal,
): Promise<void> {
  const activity = connections.began(response, service);
  const message = response.req;
  let line: HttpLine | undefined;
  try {
    const body = refusal?.bytes ?? (await readBody(message, service.world.limits.bodyBytes));
    const request = receiveRequest(message, body);
    const identity = identify(service.seed, service.occurrences, request);
    const isRequest = refusal?.bytes === undefined;
    const { requestId } = identity;
    const record = service.journal?.begin({
      ...request,
      requestId,
      rawHeaders: message.rawHeaders,
      isRequest,
    });
    const { delays } = service;
    line = new HttpLine({ connections, activity, response, delays, record, isUnread: body === null });
    await respond(service, line, exchangeOn(service, line, request, identity), refusal);
  } catch (error) {
    service.log(`a request was dropped: ${traceOf(error)}`);
    line?.drop();
    response.destroy();
  }
}

function exchangeOn(
  service: Service,
  line: HttpLine,
  request: ReceivedRequest,
  identity: Exchange['identity'],
): Exchange {
  const { message } = line;
  const { idempotencyKey } = request;
  const { requestId } = identity;
  const subject = {
    requestId,
    connection: message.socket,
    idempotencyKey,
    // Node makes them when they are asked for, which few rules do.
    get headers() {
      return message.headers;
    },
  };
  const faults = new RequestFaults(service, line.record, subject);
  return {
    request,
    identity,
    faults,
    phase: (name) => passPhase(service, faults, name),
    hold: (release) => line.hold(release),
  };
}

/** Sends an answer, or an error object, or has what takes the place of the answer happen. */
async function respond(
  service: Service,
  line: HttpLine,
  exchange: Exchange,
  refusal?: Refusal,
): Promise<void> {
  try {
    if (refusal !== undefined) throw refusal.error;
    const answer = await answerOf(service, exchange);
    await exchange.phase('before-headers');
    await sendAnswer(service, line, exchange, { answer, fault: exchange.faults.delivery() });
  } catch (end) {
    if (end instanceof Lost) return loseAnswer(service, line, exchange, end.loss);
    const { requestId } = exchange.identity;
    // Any other error is a failure of the mock itself.
    if (!(end instanceof ServiceError)) service.log(`${requestId} failed: ${traceOf(end)}`);
    if (line.hasBegun) return line.drop();
    const error = end instanceof ServiceError ? end : new ServiceError('internal_error');
    await sendAnswer(service, line, exchange, { answer: errorAnswer(service.world, requestId, error) });
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
