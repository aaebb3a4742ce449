import { coreChats } from '../../../fixtures/chats/accepted-chats.ts';
import type { ChatSettings, ChatBody } from '../../../fixtures/chats/chat.ts';
import { ENDPOINTS, HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Draft, SentRequest } from '../model/exchange.ts';
import type { TargetInfo } from '../model/target.ts';

/** A chat completion request as a faithful caller sends it, changed by `extra`. */
export function chatDraft(body: object, extra: Partial<Draft> = {}): Draft {
  return {
    method: 'POST',
    path: ENDPOINTS.chat,
    body: JSON.stringify(body),
    ...extra,
    headers: { [HEADERS.contentType]: 'application/json', ...extra.headers },
  };
}

/** The model and max_tokens of a run's chats: the cheapest model, and the output cap. */
export function chatSettings(info: TargetInfo): ChatSettings {
  return { model: info.models[0].id, maxTokens: info.outputTokens };
}

/** Whether a chat asks for a whole response or a stream. */
export type Form = 'whole' | 'streamed';

/** The cheapest chat that every faithful service accepts: the usual counterpart. */
export function smallestChat(info: TargetInfo, form: Form = 'whole'): ChatBody {
  const [chat] = coreChats(chatSettings(info));
  return form === 'whole' ? chat : { ...chat, stream: true };
}

const CUT_OFF = '{"model":';

/** A chat whose JSON is cut off. */
export function cutOffChat(info: TargetInfo): Draft {
  return chatDraft(smallestChat(info), { body: CUT_OFF });
}

export function isCutOffChat({ body }: SentRequest): boolean {
  return body !== undefined && Buffer.from(body).toString() === CUT_OFF;
}

/** One valid request to each of the three endpoints. */
export function endpointDrafts(info: TargetInfo): readonly Draft[] {
  return [
    chatDraft(smallestChat(info)),
    { method: 'GET', path: ENDPOINTS.models },
    { method: 'GET', path: ENDPOINTS.vision },
  ];
}
