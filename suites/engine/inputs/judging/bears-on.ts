import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import type { Trial } from '../../model/stimulus.ts';
import { endpointOf, sentChat } from '../../reading/answers.ts';

/** Whether a trial bears on a duty: its first request shows it, whatever came of it. */
type BearsOn = (trial: Trial) => boolean;

/** It sends a chat of this kind. */
export function ofChat(isOfKind: (chat: JsonObject) => boolean): BearsOn {
  return ({ exchanges: [exchange] }) => {
    const chat = exchange && sentChat(exchange.request);
    return chat !== undefined && isOfKind(chat);
  };
}

/** It asks this endpoint. */
export function ofEndpoint(endpoint: ReturnType<typeof endpointOf>): BearsOn {
  return ({ exchanges: [exchange] }) => exchange !== undefined && endpointOf(exchange.request) === endpoint;
}

/** Whether a chat has a character beyond ASCII in its messages. */
export function isBeyondAscii({ messages }: JsonObject): boolean {
  return /[^\0-\u007f]/.test(JSON.stringify(messages ?? null));
}
