import type { JsonObject } from '../../../fixtures/chats/chat.ts';
import type { SentRequest } from '../model/exchange.ts';
import { isJsonObject } from './is-json-object.ts';
import { parseJson } from './read-json.ts';

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
