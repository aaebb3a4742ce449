import { type JsonObject, ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import type { Answer, Exchange, SentRequest } from '../model/exchange.ts';
import { bodyLength, isJsonObject, parseOnce, remembering } from './json.ts';

/**
 * The answer of an answered exchange. Throws a TypeError for any other, which is a bug of ours: the engine itself
 * rules on trials with an unsent or uncertain exchange.
 */
export function answerOf(exchange: Exchange): Answer {
  if (exchange.outcome.kind === 'answered') return exchange.outcome.answer;
  throw new TypeError(`exchange ${exchange.id} has no answer to judge: ${exchange.outcome.reason}`);
}

/** Whether the status is 2xx. An error may still be in the body. */
export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** Whether a request was answered with a status of success. */
export function hasSucceeded({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && isSuccess(outcome.answer);
}

/** The beginning of an answer of success that broke off; undefined for any other outcome. */
export function brokenOff({ outcome }: Exchange): Answer | undefined {
  if (outcome.kind !== 'uncertain' || outcome.answer === undefined) return undefined;
  return isSuccess(outcome.answer) ? outcome.answer : undefined;
}

/** Whether a refusal with this status says nothing about the request itself: no credit left, or too many requests. */
export function isQuotaStatus(status: number): boolean {
  return status === 402 || status === 429;
}

/**
 * Whether an answer says that the model or the service is unavailable (ERR-6). Without an error object the outcome would
 * be uncertain, so there would be no answer to judge.
 */
export function isUnavailable({ status }: Pick<Answer, 'status'>): boolean {
  return status === 503;
}

/** Whether a status says that there is no such path, or not for this method. */
export function isMissingStatus(status: number): boolean {
  return status === 404 || status === 405;
}

export type Endpoint = keyof typeof ENDPOINTS;

/** The endpoint a request is for; undefined for any other path or method. */
export function endpointOf({ method, path }: SentRequest): Endpoint | undefined {
  if (method === 'POST') return path === ENDPOINTS.chat ? 'chat' : undefined;
  if (method !== 'GET') return undefined;
  if (path === ENDPOINTS.models) return 'models';
  return path === ENDPOINTS.vision ? 'vision' : undefined;
}

/** The JSON object in the bytes that were sent, if they hold one. */
export function sentChat({ body = new Uint8Array() }: SentRequest): JsonObject | undefined {
  const reading = parseOnce(body);
  return reading.kind === 'json' && isJsonObject(reading.value) ? reading.value : undefined;
}

/** Whether the chat that was sent asks for a stream. A body without `true` is not parsed: some are large. */
export function asksForStream(request: SentRequest): boolean {
  const { body } = request;
  return (
    body !== undefined &&
    Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('true') &&
    sentChat(request)?.['stream'] === true
  );
}

/** Caches a reader's result for each subject and context, since many judgements ask for the same. */
export function readOnce<S extends object, C extends object, T>(read: (subject: S, context: C) => T) {
  const byContext = new WeakMap<C, (subject: S) => T>();
  return (subject: S, context: C): T => {
    const readHere = byContext.get(context) ?? remembering((each: S) => read(each, context), bodyLength);
    byContext.set(context, readHere);
    return readHere(subject);
  };
}

/** The codings that the `fetch` of Node undoes. */
const CODINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

/** The content codings that an answer declares; none where one of them is unknown, since a `fetch` then undoes none. */
export function declaredCodings({ headers }: Pick<Answer, 'headers'>): readonly string[] {
  const names = (headers['content-encoding'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.every((name) => CODINGS.has(name)) ? names : [];
}

/** Whether the answer to a request that accepts codings is not in the one that it declares, so that no `fetch` can read it. */
export function isMiscoded(answer: Answer): boolean {
  const { body, decoded, whole } = answer;
  const isAsItCame = decoded === undefined && whole === undefined;
  return isAsItCame && body.length > 0 && declaredCodings(answer).length > 0;
}
