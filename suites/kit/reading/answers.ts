import type { Answer, Exchange, SentRequest } from '../model/exchange.ts';
import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import type { JsonObject } from '../../../fixtures/chats/chat.ts';
import { isJsonObject, parseJson } from './json.ts';

/**
 * The answer of an exchange that has one. The engine rules trials with an unsent or an uncertain exchange
 * before any judgement sees them: throws a TypeError otherwise, which is a bug of ours.
 */
export function answerOf(exchange: Exchange): Answer {
  if (exchange.outcome.kind === 'answered') return exchange.outcome.answer;
  throw new TypeError(`exchange ${exchange.id} has no answer to judge: ${exchange.outcome.reason}`);
}

/** Whether the status is one of success; what was served, if anything, the body says. */
export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** By the convention: no credit left, and too many requests. */
const STATUSES: ReadonlySet<number> = new Set([402, 429]);

/** Whether a refusal of this status says nothing of the request itself. */
export function isQuotaStatus(status: number): boolean {
  return STATUSES.has(status);
}

export type Endpoint = keyof typeof ENDPOINTS;

/** The endpoint a request puts a proper question to; undefined for other paths and for other methods. */
export function endpointOf({ method, path }: SentRequest): Endpoint | undefined {
  if (method === 'POST') return path === ENDPOINTS.chat ? 'chat' : undefined;
  if (method !== 'GET') return undefined;
  if (path === ENDPOINTS.models) return 'models';
  return path === ENDPOINTS.vision ? 'vision' : undefined;
}

const chats = new WeakMap<SentRequest, { readonly chat: JsonObject | undefined }>();

/** The JSON object that a request's bytes are, whatever was meant; undefined when they are none. Read once. */
export function sentChat(request: SentRequest): JsonObject | undefined {
  const known = chats.get(request);
  if (known !== undefined) return known.chat;
  const chat = objectIn(request.body ?? new Uint8Array());
  chats.set(request, { chat });
  return chat;
}

function objectIn(body: Uint8Array): JsonObject | undefined {
  // What is nested deep and cut off takes a parser long.
  if (!endsInBrace(body)) return undefined;
  const reading = parseJson(body);
  return reading.kind === 'json' && isJsonObject(reading.value) ? reading.value : undefined;
}

const BRACE = '}'.charCodeAt(0);
const WHITE_SPACE: ReadonlySet<number | undefined> = new Set(Buffer.from(' \t\r\n'));

/** As every JSON object does, whatever white space follows. */
function endsInBrace(body: Uint8Array): boolean {
  let last = body.length - 1;
  while (WHITE_SPACE.has(body[last])) last -= 1;
  return body[last] === BRACE;
}

/** Makes a reader that reads each thing once for each context, however many judgements ask. */
export function readOnce<S extends object, C extends object, T>(
  read: (subject: S, context: C) => T,
): (subject: S, context: C) => T {
  const byContext = new WeakMap<C, WeakMap<S, { readonly value: T }>>();
  return (subject, context) => {
    const known = byContext.get(context) ?? new WeakMap<S, { readonly value: T }>();
    byContext.set(context, known);
    const reading = known.get(subject) ?? { value: read(subject, context) };
    known.set(subject, reading);
    return reading.value;
  };
}
