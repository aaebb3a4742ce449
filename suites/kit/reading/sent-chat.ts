import type { JsonObject } from '../../../fixtures/chat.ts';
import type { SentRequest } from '../exchange.ts';
import { isJsonObject } from './is-json-object.ts';
import { parseJson } from './read-json.ts';

const chats = new WeakMap<SentRequest, { readonly chat: JsonObject | undefined }>();

/** The JSON object that a request's bytes are, whatever was meant; undefined when they are none. Read once. */
export function sentChat(request: SentRequest): JsonObject | undefined {
  const known = chats.get(request);
  if (known !== undefined) return known.chat;
  const reading = parseJson(request.body ?? new Uint8Array());
  const chat = reading.kind === 'json' && isJsonObject(reading.value) ? reading.value : undefined;
  chats.set(request, { chat });
  return chat;
}
