import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import type { RequestHook, DefectHooks } from '../../exchange/defect-hooks.ts';
import { jsonAnswer } from '../../protocol/answer.ts';
import type { ErrorKind } from '../../protocol/error-table.ts';
import type { ReceivedRequest } from '../../protocol/request.ts';
import { ServiceError } from '../../protocol/service-error.ts';
import { isObject, mapMember, mapMessages, type Members, dropMembers } from './json-members.ts';

/** Serves or refuses another chat than the one received. */
export function rewriteRequest(rewrite: (chat: Members, request: ReceivedRequest) => Members): RequestHook {
  return (exchange, next) => {
    const { request } = exchange;
    const chat = requestedChat(request);
    const rewritten = chat && rewrite(chat, request);
    const body = rewritten === chat ? undefined : bytesOf(rewritten);
    next(body === undefined ? exchange : { ...exchange, request: { ...request, body } });
  };
}

/** Undefined where it is nested too deep to be written: it is then read unchanged. */
function bytesOf(chat: unknown): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(chat));
  } catch {
    return undefined;
  }
}

/** Rewrites one field of a chat, if the chat has it. */
export function rewriteField(name: string, rewrite: (value: unknown, chat: Members) => unknown): RequestHook {
  return rewriteRequest((chat) => mapMember(chat, name, (value) => rewrite(value, chat)));
}

/** Adds a field that is missing. */
export function addField(name: string, value: unknown): RequestHook {
  return rewriteRequest((chat) => (Object.hasOwn(chat, name) ? chat : { ...chat, [name]: value }));
}

export function rewriteMessage(
  rewrite: (message: Members, chat: Members, index: number, count: number) => Members,
): RequestHook {
  return rewriteRequest((chat) =>
    mapMessages(chat, (message, index, all) =>
      isObject(message) ? rewrite(message, chat, index, all.length) : message,
    ),
  );
}

/** Answers such requests with this error. */
export function refuseWith(kind: ErrorKind, when: (request: ReceivedRequest) => boolean): RequestHook {
  return (exchange, next) => {
    if (when(exchange.request)) throw new ServiceError(kind);
    next(exchange);
  };
}

export function refuseChat(when: (chat: Members) => boolean, kind: ErrorKind = 'invalid_value'): RequestHook {
  return refuseWith(kind, (request) => {
    const chat = requestedChat(request);
    return chat !== undefined && when(chat);
  });
}

/** Fails on such a body of a request for a completion. */
export function failOnBody(when: (body: string) => boolean): RequestHook {
  return refuseWith('internal_error', (request) => isChat(request) && when(bodyText(request)));
}

/** Closes the connection on such a body of a request for a completion. */
export function hangUpOnBody(when: (body: string) => boolean): RequestHook {
  return (exchange, next) => {
    const { request } = exchange;
    if (isChat(request) && when(bodyText(request)))
      exchange.lose({ fault: 'connection_closed', outcome: 'fails' });
    else next(exchange);
  };
}

/** What a hook knows of a request that may be admitted. */
interface Credentials {
  readonly header: string | undefined;
  /** The header as it is with the first key of the world. */
  readonly expected: string;
  readonly key: string;
  readonly request: ReceivedRequest;
}

/** Admits such requests as if they carried the first key of the world. */
export function admitIf(when: (credentials: Credentials) => boolean): RequestHook {
  return (exchange, next, { world }) => {
    const { request } = exchange;
    const key = world.keys[0]?.key ?? '';
    const expected = `Bearer ${key}`;
    const isAdmitted = when({ header: request.authorization, expected, key, request });
    next(isAdmitted ? { ...exchange, request: { ...request, authorization: expected } } : exchange);
  };
}

/** Serves such requests to the Responses API. */
export function serveResponsesApi(when: (request: ReceivedRequest) => boolean): RequestHook {
  return (exchange, next) => {
    const { request, identity } = exchange;
    if (!request.url.startsWith('/v1/responses') || !when(request)) return next(exchange);
    const response = { id: 'resp_0', object: 'response', status: 'completed', output: [] };
    exchange.reply(jsonAnswer(identity.requestId, JSON.stringify(response)));
  };
}

const CHAT = `/v1${ENDPOINTS.chat}`;

export function isChat({ method, url }: ReceivedRequest): boolean {
  return method === 'POST' && url === CHAT;
}

export function isStreamed(request: ReceivedRequest): boolean {
  return requestedChat(request)?.['stream'] === true;
}

/** The chat that a request asks for, valid or not; undefined where it is not an object. */
export function requestedChat(request: ReceivedRequest): Members | undefined {
  const json = isChat(request) ? jsonOf(request) : undefined;
  return isObject(json) ? json : undefined;
}

export function jsonOf(request: ReceivedRequest): unknown {
  return parsed(bodyText(request));
}

/** The value of a JSON text; undefined for any other. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bodyText({ body }: ReceivedRequest): string {
  return body?.toString() ?? '';
}

const CHAT_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'temperature',
  'max_tokens',
  'stream',
]);
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(['role', 'content']);
const PART: ReadonlySet<string> = new Set(['type', 'text', 'image_url']);

function only(members: Members, known: ReadonlySet<string>): Members {
  return dropMembers(members, (name) => !known.has(name));
}

function plainPart(value: unknown): unknown {
  return isObject(value) ? only(value, PART) : value;
}

function plainParts(content: unknown): unknown {
  return Array.isArray(content) ? content.map(plainPart) : content;
}

function plainMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  return mapMember(only(value, MESSAGE_FIELDS), 'content', plainParts);
}

/**
 * Ignores every member that the specification does not know, of chats, messages and parts. The judge of callers serves
 * such chats: it has seen the member, and goes on to what the caller does otherwise (CALL-4).
 */
export const LENIENT: DefectHooks = {
  onRequest: rewriteRequest((chat) => mapMessages(only(chat, CHAT_FIELDS), plainMessage)),
};
