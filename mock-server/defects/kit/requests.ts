import { CHAT_FIELDS, ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import type { DefectHooks, DefectiveService } from '../../chat/defect-hooks.ts';
import { Lost } from '../../chat/exchange.ts';
import type { ReceivedRequest } from '../../protocol/answer.ts';
import {
  type Change,
  changeAt,
  dropMembers,
  inObjects,
  isObject,
  jsonIn,
  type Members,
  type Place,
} from '../../protocol/json.ts';
import { ServiceError, type ErrorKind } from '../../protocol/service-error.ts';

type World = DefectiveService['world'];

export type OnRequest = Required<Pick<DefectHooks, 'onRequest'>>;

/** Serves or refuses another chat than the one received. A chat that stays as it is keeps its bytes. */
export function rewriteRequest(rewrite: (chat: Members, world: World) => Members): OnRequest {
  return {
    onRequest: (exchange, next, { world }) => {
      const { request } = exchange;
      const chat = requestedChat(request);
      const [before, after] = chat ? [chat, rewrite(chat, world)].map(textOf) : [];
      return next(
        after === before
          ? exchange
          : { ...exchange, request: { ...request, body: Buffer.from(after ?? '') } },
      );
    },
  };
}

/** The same for all that are nested too deep to be written: they are read unchanged. */
function textOf(chat: Members): string {
  try {
    return JSON.stringify(chat);
  } catch {
    return '';
  }
}

/** Reads another value in place of that of a field. Undefined is a field that is missing. */
export function readField(
  name: string,
): (read: (value: unknown, chat: Members, world: World) => unknown) => OnRequest {
  return (read) => rewriteRequest((chat, world) => ({ ...chat, [name]: read(chat[name], chat, world) }));
}

/** Reads other values in place of those that a path of a chat leads to. */
export function readAt(path: string): (read: Change) => OnRequest {
  return (read) => rewriteRequest((chat) => changeAt(chat, path, read));
}

export function readMessages(read: (message: Members, place: Place) => unknown): OnRequest {
  return readAt('messages.*')(inObjects(read));
}

/** A request for a completion, as it is before it is checked. */
export interface Sent {
  readonly request: ReceivedRequest;
  readonly text: string;
  /** Empty where the text is no JSON object, and so are the messages where they are no list. */
  readonly chat: Members;
  readonly messages: readonly unknown[];
}

function ending(error: () => Error, includes: (request: ReceivedRequest) => boolean): OnRequest {
  return {
    onRequest: (exchange, next) => {
      if (includes(exchange.request)) throw error();
      return next(exchange);
    },
  };
}

export function refuse(kind: ErrorKind, includes: (request: ReceivedRequest) => boolean): OnRequest {
  return ending(() => new ServiceError(kind), includes);
}

const endingChats =
  (error: () => Error) =>
  (includes: (sent: Sent) => boolean): OnRequest =>
    ending(error, (request) => isChat(request) && includes(sentAs(request)));

export const refuseChats = (kind: ErrorKind) => endingChats(() => new ServiceError(kind));

export const hangUpOn = endingChats(() => new Lost('connection_closed', 'fin', 'fails'));

function sentAs(request: ReceivedRequest): Sent {
  const text = bodyText(request);
  const chat = requestedChat(request) ?? {};
  const { messages } = chat;
  return { request, text, chat, messages: Array.isArray(messages) ? messages : [] };
}

export function readAddress(read: (url: string) => string): OnRequest {
  return {
    onRequest: (exchange, next) =>
      next({ ...exchange, request: { ...exchange.request, url: read(exchange.request.url) } }),
  };
}

/** Admits such requests as if they carried the first key of the world; `expected`: the header with that key. */
export function admitIf(isAdmitted: (presented: Presented) => boolean): OnRequest {
  return {
    onRequest: (exchange, next, { world: { keys } }) => {
      const { request } = exchange;
      const key = keys[0]?.key ?? '';
      const expected = `Bearer ${key}`;
      const admitted = isAdmitted({ header: request.authorization, expected, key, request });
      return next(admitted ? { ...exchange, request: { ...request, authorization: expected } } : exchange);
    },
  };
}

interface Presented extends Readonly<Record<'expected' | 'key', string>> {
  readonly header: string | undefined;
  readonly request: ReceivedRequest;
}

export function isChatField(name: string): boolean {
  return CHAT_FIELDS.includes(name);
}

export const CHAT = `/v1${ENDPOINTS.chat}`;

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

/** The value of a body; undefined where it is not JSON. */
export function jsonOf(request: ReceivedRequest): unknown {
  return jsonIn(bodyText(request));
}

function bodyText({ body }: ReceivedRequest): string {
  return body?.toString() ?? '';
}

/** What a defect remembers of each service. It forgets with a reset, which starts another service. */
export function perService<Memory>(create: () => Memory): (owner: object) => Memory {
  const memories = new WeakMap<object, Memory>();
  return (owner) => {
    const memory = memories.get(owner) ?? create();
    memories.set(owner, memory);
    return memory;
  };
}

const keeping = (...known: readonly string[]): Change =>
  inObjects((members) => dropMembers(members, (name) => !known.includes(name)));

/**
 * Ignores every member that the specification does not know, of parts, messages and chats. The judge of callers serves
 * such chats: it has seen the member, and goes on to what the caller does otherwise (CALL-4).
 */
export const LENIENT: OnRequest = rewriteRequest((chat) => {
  const withKnownParts = changeAt(chat, 'messages.*.content.*', keeping('type', 'text', 'image_url'));
  const withKnownMessages = changeAt(withKnownParts, 'messages.*', keeping('role', 'content'));
  return dropMembers(withKnownMessages, (name) => !isChatField(name));
});
