import { randomUUID } from 'node:crypto';
import { coreChats } from '../../../../fixtures/chats/accepted-chats.ts';
import { type ChatSettings, type ChatBody, ENDPOINTS, HEADERS } from '../../../../fixtures/chats/chat.ts';
import type { Credential, Draft, SentRequest } from '../../model/exchange.ts';
import type { TargetInfo } from '../../model/target.ts';

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

export type Form = 'whole' | 'streamed';

/** The cheapest chat that every faithful service accepts: the usual counterpart. */
export function smallestChat(info: TargetInfo, form: Form = 'whole'): ChatBody {
  const [chat] = coreChats(chatSettings(info));
  return form === 'whole' ? chat : { ...chat, stream: true };
}

/** Chats that are refused for a plain reason, by that reason. */
export function refusedChats(info: TargetInfo) {
  const chat = smallestChat(info);
  return {
    'malformed JSON': chatDraft(chat, { body: '{"model":' }),
    'an unknown model': chatDraft({ ...chat, model: 'no-such-model' }),
    'an unknown field': chatDraft({ ...chat, unheard_of: 'x' }),
  };
}

/** A key that no service knows, another for each draft: a command shows the one that was sent. */
export function unknownKey(): Credential {
  const header = `Bearer sk-${randomUUID()}`;
  return { kind: 'forged', label: 'an unknown key', header: () => header };
}

/** More output than any model generates (ERR-4), by default in an integer of 32 bits. */
export function tooMuchOutput(chat: object, max_tokens: number | object = 2_000_000_000): Draft {
  return chatDraft(
    { ...chat, max_tokens },
    { needsOutput: typeof max_tokens === 'number' ? max_tokens : Infinity },
  );
}

export function isRefusedChat(request: SentRequest, info: TargetInfo): boolean {
  return Object.values(refusedChats(info)).some((draft) => isDraftOf(draft, request));
}

export function isDraftOf(draft: Draft, { body }: SentRequest): boolean {
  return body !== undefined && Buffer.from(body).toString() === draft.body;
}

/** One valid request to each of the three endpoints. */
export function endpointDrafts(info: TargetInfo): readonly Draft[] {
  return [
    chatDraft(smallestChat(info)),
    { method: 'GET', path: ENDPOINTS.models },
    { method: 'GET', path: ENDPOINTS.vision },
  ];
}
