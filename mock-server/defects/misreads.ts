import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import { changing, changingMessages, type Fields, isFields } from './fields.ts';

const CHAT = `/v1${ENDPOINTS.chat}`;

/** Whether a request asks for a completion. */
export function isChat({ method, url }: ReceivedRequest): boolean {
  return method === 'POST' && url === CHAT;
}

/** The value of a body that is JSON; undefined for any other. */
export function jsonOf({ body }: ReceivedRequest): unknown {
  try {
    return JSON.parse(body?.toString() ?? '');
  } catch {
    return undefined;
  }
}

/** The chat that a request asks for, right or wrong; undefined where it is no object at all. */
export function chatOf(request: ReceivedRequest): Fields | undefined {
  const json = isChat(request) ? jsonOf(request) : undefined;
  return isFields(json) ? json : undefined;
}

/** Whether a request asks for a stream. */
export function isStreamed(request: ReceivedRequest): boolean {
  return chatOf(request)?.['stream'] === true;
}

/** Takes a chat for another one, which it then serves or refuses as it ought to. */
export function misreads(take: (chat: Fields, request: ReceivedRequest) => Fields): DefectHooks {
  return {
    onRequest: (exchange, serve) => {
      const { request } = exchange;
      const chat = chatOf(request);
      const taken = chat && take(chat, request);
      const body = taken === chat ? undefined : bytesOf(taken);
      serve(body === undefined ? exchange : { ...exchange, request: { ...request, body } });
    },
  };
}

/** Undefined: it is nested deeper than can be written down, and is read as it came. */
function bytesOf(chat: unknown): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(chat));
  } catch {
    return undefined;
  }
}

/** Takes one field of a chat for another value; it does not see what is not there. */
export function misreadsField(name: string, take: (value: unknown, chat: Fields) => unknown): DefectHooks {
  return misreads((chat) => changing(chat, name, (value) => take(value, chat)));
}

/** Serves a chat in which a field is missing as if it had this one. */
export function supplies(field: string, value: unknown): DefectHooks {
  return misreads((chat) => (Object.hasOwn(chat, field) ? chat : { ...chat, [field]: value }));
}

/** Takes a message that is an object for another one. */
export function misreadsMessage(
  take: (message: Fields, chat: Fields, index: number, count: number) => Fields,
): DefectHooks {
  return misreads((chat) =>
    changingMessages(chat, (message, index, all) =>
      isFields(message) ? take(message, chat, index, all.length) : message,
    ),
  );
}
