import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { RewrittenAnswer } from '../exchange/defect-hooks.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { MetLoss } from '../exchange/request-faults.ts';
import type { Delivery, Page } from '../faults/fault.ts';
import { type Answer, toUtf8 } from '../protocol/answer.ts';
import { ERROR_TABLE } from '../protocol/error-table.ts';
import { ServiceError, type Step } from '../protocol/service-error.ts';
import type { Service } from '../sandboxes/service.ts';
import type { World } from '../world/world.ts';
import type { HttpLine } from './http-line.ts';

interface Answered {
  readonly answer: Answer;
  /** Undefined: the answer leaves as it is. */
  readonly fault?: Delivery | undefined;
}

/** Sends an answer: whole, unless a fault or a defect says otherwise. Resolves once it has left, if it leaves in parts. */
export async function sendAnswer(
  service: Service,
  line: HttpLine,
  { request }: Exchange,
  { answer: right, fault }: Answered,
): Promise<void> {
  const answer = rewritten(service, right, request);
  const { status, body, requestId } = answer;
  const headers = answerHeaders(service, answer);
  if (line.closes) headers.push('connection', 'close');
  // Path and headers may hold a secret: neither is logged.
  if (service.logAnswers) service.log(`${requestId} ${request.method} ${status}`);
  const delivery = fault ?? answer.delivery;
  const whole = { status, headers, body };
  const error = (): string =>
    toUtf8(errorAnswer(service.world, requestId, new ServiceError('service_unavailable')).body);
  const outgoing = delivery?.change?.(whole, error) ?? whole;
  line.record?.replied(status, outgoing.headers, Buffer.from(outgoing.body, 'latin1'));
  if (delivery === undefined) line.send(outgoing);
  else await line.deliver(outgoing, delivery);
}

/** An answer in bytes, as a defect rewrites it. */
function rewritten(service: Service, right: Answer, request: Exchange['request']): RewrittenAnswer {
  const answer = inBytes(right);
  const { onResponse } = service.defect ?? {};
  return onResponse === undefined ? answer : inBytes(onResponse(answer, request, service));
}

function inBytes<Any extends Answer>(answer: Any): Any {
  return answer.encoding === 'latin1' ? answer : { ...answer, body: toUtf8(answer.body), encoding: 'latin1' };
}

/** The headers of every answer, names and values in turn, which Node writes unchanged. */
function answerHeaders({ dateHeader, world }: Service, answer: RewrittenAnswer): string[] {
  const { deprecation, sunset } = world.choices.versioning;
  const headers = ['date', dateHeader(), HEADERS.requestId, answer.requestId, HEADERS.contentType];
  headers.push(answer.contentType);
  if (answer.isUnmeasured === undefined) headers.push('content-length', String(answer.body.length));
  headers.push(...answer.headers);
  if (deprecation !== null) headers.push('deprecation', deprecation);
  if (sunset !== null) headers.push('sunset', sunset);
  return headers;
}

/** Does what a loss puts in place of the answer. */
export async function loseAnswer(
  service: Service,
  line: HttpLine,
  { identity, request }: Exchange,
  { fault, instead }: MetLoss,
): Promise<void> {
  if (service.logAnswers) service.log(`${identity.requestId} ${request.method} ${fault}`);
  if (typeof instead === 'object') return sendInstead(service, line, instead);
  if (instead === 'silence') return line.silence();
  await line.turn();
  if (instead === 'half-open') line.halfOpen();
  else line.cut(instead);
}

/** Answers with these have no body, and say nothing of its length (RFC 9110, 8.6). */
const BODYLESS: ReadonlySet<number> = new Set([204, 304]);

function sendInstead({ dateHeader }: Service, line: HttpLine, { status, body, headers: own }: Page): void {
  const headers = ['date', dateHeader(), 'server', 'gateway', ...own];
  if (!BODYLESS.has(status)) headers.push('content-length', String(body.length));
  if (line.closes) headers.push('connection', 'close');
  line.record?.replied(status, headers, Buffer.from(body, 'latin1'));
  line.send({ status, headers, body });
}

const LONGEST_NAME = 48;
const LONGEST_POINTER = 160;

/**
 * The error object of a refusal (ERR-1): code, message and request ID, in the shape of the world. The message gives the
 * wrong place as a JSON pointer. It contains no key of the world.
 */
export function errorAnswer(world: World, requestId: string, error: ServiceError): Answer {
  const { shape, requestIdField, overrides } = world.choices.errors;
  const { code, status } = { ...ERROR_TABLE[error.kind], ...overrides[error.kind] };
  const items = { code, message: message(world, error), [requestIdField]: requestId };
  const body = JSON.stringify(shape === 'nested' ? { error: items } : items);
  const headers = error.particulars.headers ?? [];
  return { status, requestId, contentType: 'application/json', body, headers };
}

function message(world: World, { kind, particulars }: ServiceError): string {
  const { detail, path } = particulars;
  const place = path === undefined ? '' : `At ${pointer(world, path)}: `;
  return `${place}${detail === undefined ? '' : `${detail}. `}${ERROR_TABLE[kind].meaning}`;
}

/** RFC 6901. The empty pointer, which is the whole body, is written in words. */
function pointer(world: World, path: readonly Step[]): string {
  if (path.length === 0) return 'the root of the body';
  const whole = path.map((step) => `/${shown(world, String(step))}`).join('');
  return cut(whole, LONGEST_POINTER);
}

function shown(world: World, name: string): string {
  const safe = world.keys.reduce((text, { key }) => text.replaceAll(key, '(a key)'), name);
  return cut(safe, LONGEST_NAME).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** At most so many code units. Half a surrogate pair becomes U+FFFD. */
function cut(text: string, longest: number): string {
  return (text.length > longest ? `${text.slice(0, longest)}…` : text).toWellFormed();
}
