import { ENDPOINTS, HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Draft } from '../model/exchange.ts';
import type { ChatSettings, ChatBody } from '../../../fixtures/chats/chat.ts';
import type { TargetInfo } from '../model/target.ts';
import { smokeChats } from '../../../fixtures/chats/accepted-chats.ts';

/** A chat completion request as a faithful caller sends it; `extra` says what is different this time. */
export function chatDraft(body: object, extra: Partial<Draft> = {}): Draft {
  return {
    method: 'POST',
    path: ENDPOINTS.chat,
    body: JSON.stringify(body),
    ...extra,
    headers: { [HEADERS.contentType]: 'application/json', ...extra.headers },
  };
}

/** What this run makes its chats for: the cheapest model, and as much output as it may ask for. */
export function chatSettings(info: TargetInfo): ChatSettings {
  return { model: info.models[0].id, maxTokens: info.outputTokens };
}

/** How the answer to a chat is asked for. */
export type Form = 'whole' | 'streamed';

/** The chat that costs least and that any faithful service serves: the control where nothing else will do. */
export function smallestChat(info: TargetInfo, form: Form = 'whole'): ChatBody {
  const [chat] = smokeChats(chatSettings(info));
  return form === 'whole' ? chat : { ...chat, stream: true };
}

/** One proper request to each of the three endpoints. */
export function endpointDrafts(info: TargetInfo): readonly Draft[] {
  return [
    chatDraft(smallestChat(info)),
    { method: 'GET', path: ENDPOINTS.models },
    { method: 'GET', path: ENDPOINTS.vision },
  ];
}
