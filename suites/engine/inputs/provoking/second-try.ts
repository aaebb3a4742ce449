import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import type { Draft, Exchange } from '../../model/exchange.ts';
import type { Sender, Trial } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import { wasServed } from '../../reading/errors/disposition.ts';
import { isJsonObject } from '../../reading/json.ts';
import { chatDraft, smallestChat } from './chat-drafts.ts';

/** The same body with one more space: another request. Only for one of which no work can come. */
export function withSpace(draft: Draft): Draft {
  const { body = '' } = draft;
  return {
    ...draft,
    body: typeof body === 'string' ? `${body} ` : Buffer.concat([body, Buffer.from(' ')]),
  };
}

/**
 * The trial of a chat that may have broken its connection, or met one that broke by chance: a chat in ASCII, and where that
 * is served, another chat of the same kind. Both are new work, since the first one may have been done (CALL-2).
 */
export async function tryAgain(
  broken: Exchange,
  chat: JsonObject,
  sender: Sender,
  info: TargetInfo,
): Promise<Trial> {
  const another = anotherChat(chat);
  if (another === undefined) return { exchanges: [broken] };
  const { model = null } = chat;
  const messages = [{ role: 'user', content: `Hi. (${broken.id})` }];
  const counterpart = await sender.send(chatDraft({ ...smallestChat(info), model, messages }));
  if (!wasServed(counterpart, info)) return { exchanges: [broken] };
  const second = await sender.send(chatDraft(another, { after: broken.id }));
  return { exchanges: [broken, second], counterpart };
}

/** With more text at its end; undefined where it ends in no text. */
function anotherChat(chat: JsonObject): JsonObject | undefined {
  const { messages } = chat;
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (!Array.isArray(messages) || !isJsonObject(last) || typeof last['content'] !== 'string')
    return undefined;
  if (last['content'] === '') return undefined;
  return {
    ...chat,
    messages: [...messages.slice(0, -1), { ...last, content: `${last['content']} And then?` }],
  };
}
