import type { ServerResponse } from 'node:http';
import { HEADERS } from '../../fixtures/chats/chat.ts';
import { defectiveAnswer, type RewrittenAnswer, rewrittenAnswer } from '../chat/defect-hooks.ts';
import { Exchange, Lost } from '../chat/exchange.ts';
import type { Service } from '../chat/service.ts';
import { answerRequest } from '../chat/transaction.ts';
import { type Delivery, type OutgoingAnswer, toUtf8 } from '../faults/deliveries.ts';
import type { Answer } from '../protocol/answer.ts';
import { ERROR_TABLE, ServiceError, shortened, type Step, traceOf } from '../protocol/service-error.ts';
import type { World } from '../world/world-schema.ts';
import type { Connections } from './connections.ts';
import { HttpLine } from './http-line.ts';
import { readBody, receiveRequest } from './read-request.ts';

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
  const line = new HttpLine(connections, response, service);
  const message = response.req;
  try {
    const body = refusal?.bytes ?? (await readBody(message, service.world.limits.bodyBytes));
    const request = receiveRequest(message, body);
    const exchange = new Exchange(service, message, request, refusal?.bytes === undefined);
    line.carries(exchange);
    await respond(line, exchange, refusal);
  } catch (error) {
    service.log(`a request was dropped: ${traceOf(error)}`);
    line.drop();
  }
}

/** Sends an answer, or an error object, or has what takes the place of the answer happen. */
async function respond(line: HttpLine, exchange: Exchange, refusal?: Refusal): Promise<void> {
  const { service } = line;
  const { requestId, request } = exchange;
  try {
    if (refusal !== undefined) throw refusal.error;
    if (request.method === 'POST') await service.delays.wait(service.latency.perRequest);
    const answer = await defectiveAnswer(exchange, (received) => answerRequest(exchange, received.request));
    await exchange.phase('before-headers');
    await send(line, exchange, answer, exchange.delivery());
  } catch (end) {
    if (end instanceof Lost) return lose(line, exchange, end);
    // Any other error is a failure of the mock itself.
    if (!(end instanceof ServiceError)) service.log(`${requestId} failed: ${traceOf(end)}`);
    if (line.hasBegun) return line.drop();
    const error = end instanceof ServiceError ? end : new ServiceError('internal_error');
    await send(line, exchange, errorAnswer(service.world, requestId, error));
  }
}

/** Sends an answer: whole, unless a fault or a defect says otherwise. Resolves once it has left, if it leaves in parts. */
async function send(line: HttpLine, exchange: Exchange, right: Answer, fault?: Delivery): Promise<void> {
  const { service } = line;
  if (fault === undefined && service.defects.length === 0 && exchange.record === undefined) {
    const headers = headersOf(line, right, Buffer.byteLength(right.body));
    // Nobody looks at its bytes, so they are made as they are written, in one piece with the head.
    if (headers.every((text) => ASCII.test(text))) return line.send({ ...right, headers }, 'utf8');
  }
  const answer = rewrittenAnswer(exchange, right);
  const { status, requestId, body } = answer;
  const delivery = fault ?? answer.delivery;
  const whole = { status, headers: headersOf(line, answer), body };
  const error = (): string =>
    toUtf8(errorAnswer(service.world, requestId, new ServiceError('service_unavailable')).body);
  const outgoing = delivery?.change?.(whole, error) ?? whole;
  exchange.record?.replied(outgoing);
  if (delivery === undefined) line.send(outgoing);
  else await line.deliver(outgoing, delivery);
}

const ASCII = /^[ -~]*$/;

/** The headers of every answer, names and values in turn, which Node writes unchanged. */
function headersOf({ service, closes }: HttpLine, answer: RewrittenAnswer, length = answer.body.length) {
  const { deprecation, sunset } = service.world.choices.versioning;
  const headers = ['date', service.time.date(), HEADERS.requestId, answer.requestId];
  headers.push(HEADERS.contentType, answer.contentType);
  if (answer.isUnmeasured === undefined) headers.push('content-length', String(length));
  headers.push(...answer.headers);
  if (deprecation !== null) headers.push('deprecation', deprecation);
  if (sunset !== null) headers.push('sunset', sunset);
  if (closes) headers.push('connection', 'close');
  return headers;
}

/** Does what a loss puts in place of the answer. */
async function lose(line: HttpLine, { record }: Exchange, { instead }: Lost): Promise<void> {
  if (typeof instead === 'object') {
    const page = { ...instead, headers: headersOfPage(line, instead) };
    record?.replied(page);
    return line.send(page);
  }
  if (instead === 'silence') return line.silence();
  await line.turn();
  line.cut(instead);
}

/** Answers with these have no body, and say nothing of its length (RFC 9110, 8.6). */
const BODYLESS: ReadonlySet<number> = new Set([204, 304]);

function headersOfPage({ service, closes }: HttpLine, page: OutgoingAnswer): readonly string[] {
  const headers = ['date', service.time.date(), 'server', 'gateway', ...page.headers];
  if (!BODYLESS.has(page.status)) headers.push('content-length', String(page.body.length));
  if (closes) headers.push('connection', 'close');
  return headers;
}

const LONGEST_NAME = 48;
const LONGEST_POINTER = 160;

/**
 * The error object of a refusal (ERR-1): code, message and request ID, in the shape of the world. The message gives the
 * wrong place as a JSON pointer. It contains no key of the world.
 */
export function errorAnswer(world: World, requestId: string, error: ServiceError): Answer {
  const { shape, requestIdField, overrides } = world.choices.errors;
  const { code = error.kind, status = ERROR_TABLE[error.kind][0] } = overrides[error.kind] ?? {};
  const items = { code, message: messageOf(world, error), [requestIdField]: requestId };
  const body = JSON.stringify(shape === 'nested' ? { error: items } : items);
  const headers = error.particulars.headers ?? [];
  return { status, requestId, contentType: 'application/json', body, headers };
}

function messageOf(world: World, { kind, particulars }: ServiceError): string {
  const { detail, path } = particulars;
  const place = path === undefined ? '' : `At ${pointer(world, path)}: `;
  return `${place}${detail === undefined ? '' : `${detail}. `}${ERROR_TABLE[kind][1]}`;
}

/** RFC 6901. The empty pointer, which is the whole body, is written in words. */
function pointer(world: World, path: readonly Step[]): string {
  if (path.length === 0) return 'the root of the body';
  const whole = path.map((step) => `/${shown(world, String(step))}`).join('');
  return shortened(whole, LONGEST_POINTER);
}

function shown(world: World, name: string): string {
  const safe = world.keys.reduce((text, { key }) => text.replaceAll(key, '(a key)'), name);
  return shortened(safe, LONGEST_NAME).replaceAll('~', '~0').replaceAll('/', '~1');
}
