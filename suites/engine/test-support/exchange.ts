import { ENDPOINTS, HEADERS } from '../../../fixtures/chats/chat.ts';
import {
  type Answer,
  type Exchange,
  PRIMARY,
  type Piece,
  type SentRequest,
  type WholeBody,
} from '../model/exchange.ts';

/** An answer by hand, with the defaults of an ordinary 200. */
export interface AnswerForTest {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, with its content type unless `headers` says otherwise. */
  readonly body?: BodyForTest;
  /** The body is not the whole one. */
  readonly whole?: WholeBody;
  /** It arrived in the coding that its headers name. */
  readonly decoded?: true;
  /** One piece at 10 ms unless given. */
  readonly pieces?: readonly Piece[];
  /** 10 ms, or when the last piece arrived. */
  readonly endedAt?: number;
}

type BodyForTest = string | Uint8Array | object;

const SMALLEST = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };

let count = 0;

/** An answered exchange written by hand: a POST of the smallest chat, unless `requestBody` or `request` say otherwise. */
export function answered(
  answer: AnswerForTest = {},
  requestBody: BodyForTest = SMALLEST,
  request: Partial<SentRequest> = {},
): Exchange {
  const sent = { ...requestForTest(requestBody), ...request };
  return {
    id: `by-hand/${++count}`,
    request: sent,
    outcome: { kind: 'answered', answer: answerForTest(answer) },
  };
}

/** An answered GET without a payload. */
export function answeredGet(
  path: string,
  answer: AnswerForTest = {},
  request: Partial<SentRequest> = {},
): Exchange {
  return answered(answer, undefined, { method: 'GET', path, headers: {}, body: undefined, ...request });
}

/** The same request, whose connection broke before its whole answer had arrived. */
export function brokenOff({ outcome, ...sent }: Exchange, reason = 'the connection broke'): Exchange {
  if (outcome.kind !== 'answered') throw new TypeError('an answer was written by hand');
  return { ...sent, outcome: { ...outcome, kind: 'uncertain', reason } };
}

/** The same request, to which nothing of an answer has arrived. */
export function unanswered(exchange: Exchange, reason = 'no answer'): Exchange {
  return { ...exchange, outcome: { kind: 'uncertain', reason } };
}

/** A stream of these events: texts as they are, and other values as JSON. */
export function eventStream(...events: readonly unknown[]): AnswerForTest {
  const written = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  return {
    headers: { [HEADERS.contentType]: 'text/event-stream' },
    body: written.map((data) => `data: ${data}\n\n`).join(''),
  };
}

/** An error object with all its items. */
export function errorAnswer(code: string, status = 400): AnswerForTest {
  return { status, body: { error: { code, message: 'No.', request_id: 'r' } } };
}

function requestForTest(body: BodyForTest): SentRequest {
  const headers = { [HEADERS.contentType]: 'application/json' };
  return { method: 'POST', path: ENDPOINTS.chat, headers, credential: PRIMARY, body: bytesOf(body) };
}

function answerForTest(answer: AnswerForTest): Answer {
  const { status = 200, headers, body = '', whole, decoded, pieces, endedAt } = answer;
  const bytes = bytesOf(body);
  const came = pieces ?? (bytes.length > 0 ? [{ at: 10, upTo: bytes.length }] : []);
  return {
    status,
    headers: headers ?? (isPlainObject(body) ? { [HEADERS.contentType]: 'application/json' } : {}),
    body: bytes,
    ...(whole && { whole }),
    ...(decoded && { decoded }),
    pieces: came,
    headersAt: came[0]?.at ?? 10,
    endedAt: endedAt ?? came.at(-1)?.at ?? 10,
  };
}

function bytesOf(body: BodyForTest): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

function isPlainObject(body: BodyForTest): boolean {
  return typeof body !== 'string' && !(body instanceof Uint8Array);
}
