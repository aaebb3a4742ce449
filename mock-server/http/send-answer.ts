import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { RewrittenAnswer } from '../exchange/defect-hooks.ts';
import type { Delivery } from '../faults/fault.ts';
import { type Answer, toUtf8 } from '../protocol/answer.ts';
import { ERROR_TABLE } from '../protocol/error-table.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { ServiceError, type Step } from '../protocol/service-error.ts';
import type { Service } from '../sandboxes/service.ts';
import type { World } from '../world/world.ts';
import { deliverBody } from './deliver-body.ts';
import { type HttpContext, sendBody } from './http-context.ts';

type HeaderSource = Pick<Service, 'dateHeader' | 'world'>;

/** The headers of every answer, names and values in turn, which Node writes unchanged. */
export function answerHeaders({ dateHeader, world }: HeaderSource, answer: RewrittenAnswer): string[] {
  const { deprecation, sunset } = world.choices.versioning;
  const headers = ['date', dateHeader(), HEADERS.requestId, answer.requestId, HEADERS.contentType];
  headers.push(answer.contentType);
  if (answer.isUnmeasured === undefined)
    headers.push('content-length', String(Buffer.byteLength(answer.body, answer.encoding)));
  headers.push(...answer.headers);
  if (deprecation !== null) headers.push('deprecation', deprecation);
  if (sunset !== null) headers.push('sunset', sunset);
  return headers;
}

/** Sends an answer on its connection: whole, unless a fault says otherwise. */
export function sendAnswer(service: Service, context: HttpContext, right: Answer, fault?: Delivery): void {
  const { response, request, connections, record } = context;
  const answer = rewritten(service, right, request);
  const { status, body, encoding = 'utf8' } = answer;
  const headers = answerHeaders(service, answer);
  const isUnread = request.body === null;
  if (isUnread || connections.closing) headers.push('connection', 'close');
  // Path and headers may hold a secret: neither is logged.
  if (service.logAnswers) service.log(`${answer.requestId} ${request.method} ${status}`);
  const delivery = fault ?? answer.delivery;
  if (delivery !== undefined) {
    const bytes = Buffer.from(body, encoding).toString('latin1');
    const error = new ServiceError('service_unavailable');
    const { change = (whole) => whole } = delivery;
    const outgoing = change({ status, headers, body: bytes }, () =>
      toUtf8(errorAnswer(service.world, answer.requestId, error).body),
    );
    record?.replied(status, outgoing.headers, Buffer.from(outgoing.body, 'latin1'));
    deliverBody(context, service.delays, outgoing, delivery);
    return;
  }
  record?.replied(status, headers, Buffer.from(body, encoding));
  response.writeHead(status, headers);
  sendBody(response, body, isUnread, encoding);
}

/** What a defect makes of an answer, of which it sees the bytes. */
function rewritten(service: Service, right: Answer, request: ReceivedRequest): RewrittenAnswer {
  const onResponse = service.defect?.onResponse;
  if (onResponse === undefined) return right;
  return onResponse({ ...right, body: toUtf8(right.body), encoding: 'latin1' }, request, service);
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
